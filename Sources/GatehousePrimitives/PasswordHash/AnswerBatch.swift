/// Answers of jobs that are done, until a thread gives them: one by one as they are done, or several together while
/// there is a storm.
///
/// The work behind a hash runs on a processor whose caches the hash has filled, and takes a quarter less when it
/// follows its like. So in a storm, while more want a turn than may have one, answers are kept until there are as many
/// as a batch holds, and given together.
struct AnswerBatch {
  private var answers: [HashAnswer] = []
  /// How many make a batch; 0: no answer is kept.
  private let size: Int

  /// - Parameter limits: two for each thread are a batch, where answers are batched at all.
  init(_ limits: HashPool.Limits) { size = limits.batchesAnswers ? 2 * limits.threads : 0 }

  mutating func add(_ answer: HashAnswer) { answers.append(answer) }

  /// The answers that a thread gives before its next job: none while they are kept.
  ///
  /// INVARIANT: a thread that keeps answers goes on with a usual job, while every other one that works does the same;
  /// then it asks again. So no answer waits longer than two usual hashes, and none where no ticket waits.
  /// - Parameters:
  ///   - waiting: tickets whose turn it is not yet.
  ///   - unusual: threads at a job that is not usual, the next job among them.
  mutating func beforeJob(waiting: Int, unusual: Int) -> [HashAnswer] {
    let isKept =
      waiting > 0  // GUARD: hashing: answers are kept in a storm only
      && unusual == 0  // GUARD: hashing: no answer waits for an unusual hash
      && answers.count < size  // GUARD: hashing: so many answers are kept
    return isKept ? [] : takeAll()
  }

  /// All of them: what a thread without a job gives.
  mutating func takeAll() -> [HashAnswer] {
    defer { answers = [] }
    return answers
  }
}
