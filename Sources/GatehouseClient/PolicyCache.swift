final class PolicyCache: Sendable {}
