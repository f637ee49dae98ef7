/// The table of commands. A new command is a file in this folder and a row here; help, completion, the manual and the
/// tests follow from it.
enum Commands {
  static let all: [Command] = [
    Serve.command,
    TenantCreate.command,
    TenantList.command,
    TenantEnable.command,
    TenantDisable.command,
    TenantDelete.command,
    PolicyCheckCommand.command,
    PolicyTestCommand.command,
    PolicySchema.command,
    PolicyInit.command,
    PolicyDiff.command,
    PolicyApply.command,
    PolicyHistory.command,
    PolicyShow.command,
    UserList.command,
    UserShow.command,
    UserCreate.command,
    UserSet.command,
    UserDisable.command,
    UserEnable.command,
    UserDelete.command,
    UserSessions.command,
    UserRevoke.command,
    UserVerifyEmail.command,
    UserSendReset.command,
    KeyList.command,
    KeyRotate.command,
    MailOutbox.command,
    AuditSearch.command,
    ConfigShow.command,
    ConfigCheck.command,
    ConfigExample.command,
    HelpCommand.command,
    VersionCommand.command,
    CompletionCommand.command,
    ManCommand.command,
  ]

  static let nouns: [Noun] = [
    Noun(name: "tenant", summary: "the apps that this server hosts"),
    Noun(name: "policy", summary: "what one app asks of its people, as a file"),
    Noun(name: "user", summary: "the people of an app"),
    Noun(name: "key", summary: "the keys that sign an app's tokens"),
    Noun(name: "audit", summary: "who did what, and when"),
    Noun(name: "mail", summary: "what was sent to people"),
    Noun(name: "config", summary: "what the server is told at its start"),
  ]

  static var help: HelpText { HelpText(commands: all, nouns: nouns) }
}
