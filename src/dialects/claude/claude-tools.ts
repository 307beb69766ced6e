type ToolClass = "reads" | "ruled" | "judged" | "lasts" | "unchecked";

/**
 * The tools of Claude Code 2.1.197 and 2.1.326, from their requests, from what ToolSearch finds and from the text of their programs; docs/dialects/claude.md
 * has the reasons. A tool that is in no class is unknown.
 *
 * - `reads`: it reads, or changes only the state of the run and the CLI's own records in its configuration directory.
 * - `ruled`: Claude Code's permission rules decide about each call. In a reading mode it runs only if it reads.
 * - `judged`: its input decides.
 * - `lasts`: it runs without a question in every mode, and its effect outlasts the run or leaves the machine.
 * - `unchecked`: it is in the program and was not offered in any measured run.
 */
const CLASSES: Readonly<Record<ToolClass, readonly string[]>> = {
  reads: [
    ...["CronList", "ListAgents", "ListMcpResourcesTool", "ReadMcpResourceDirTool", "ReadMcpResourceTool", "RefreshMcpTools"],
    ...["ReportFindings", "StructuredOutput", "SubagentHandback", "TaskCreate", "TaskGet", "TaskList", "TaskOutput"],
    ...["TaskStop", "TaskUpdate", "TodoWrite", "ToolSearch", "WaitForMcpServers"],
  ],
  ruled: [
    ...["AskUserQuestion", "Bash", "Edit", "EnterPlanMode", "ExitPlanMode", "Glob", "Grep", "LS", "LSP", "Monitor"],
    ...["MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read", "Skill", "WebFetch", "WebSearch", "Write"],
  ],
  judged: ["Agent", "SendMessage"],
  lasts: [
    ...["CronCreate", "CronDelete", "DesignSync", "EnterWorktree", "ExitWorktree", "RemoteTrigger", "ScheduleWakeup"],
    "Workflow",
  ],
  unchecked: [
    ...["AppifactRepl", "Artifact", "AutofixPr", "ClaudeDesign", "EndConversation", "FetchInboxMessage", "Frame", "FrameRead"],
    ...["GetGoal", "GetTask", "ListConnectors", "ObserverReport", "OfferChromeSetup", "PauseGoal", "Poll", "Projects"],
    ...["PublishPlugin", "PushNotification", "ReadNotifications", "ReadWidgetContext", "SearchMcpRegistry", "SendFeedback"],
    ...["SendFile", "SendToProject", "SendToProjectContext", "SendUserFile", "SendUserMessage", "SetGoal"],
    ...["ShareOnboardingGuide", "ShowOnboardingRolePicker", "SuggestBackgroundPR", "SuggestConnectors", "SuggestPluginInstall"],
    ...["SuggestSkills", "TeamCreate", "TeamDelete", "TestingPermission", "WrapUp", "Yield", "memory_list", "memory_read"],
    ...["memory_write", "propose_skills", "self_hosted_runner_get_pool", "self_hosted_runner_list_runners"],
    ...["self_hosted_runner_list_secrets", "self_hosted_runner_list_sessions", "self_hosted_runner_read_health"],
    ...["self_hosted_runner_read_metrics", "self_hosted_runner_requeue_session", "self_hosted_runner_spawn_local"],
    "self_hosted_runner_tail_log",
  ],
};

/** Earlier names of tools, which Claude Code still takes. */
const RENAMED: Readonly<Record<string, string>> = {
  Task: "Agent",
  KillShell: "TaskStop",
  KillBash: "TaskStop",
  AgentOutputTool: "TaskOutput",
  BashOutputTool: "TaskOutput",
  AgentOutput: "TaskOutput",
  BashOutput: "TaskOutput",
  ListPeers: "ListAgents",
  Brief: "SendUserMessage",
  ListMcpResources: "ListMcpResourcesTool",
  ReadMcpResource: "ReadMcpResourceTool",
  ReadMcpResourceDir: "ReadMcpResourceDirTool",
  ProposeGoal: "SetGoal",
  RunWorkflow: "Workflow",
};

const CLASS_OF: ReadonlyMap<string, ToolClass> = new Map(
  (Object.keys(CLASSES) as ToolClass[]).flatMap((kind) => CLASSES[kind].map((name) => [name, kind] as const)),
);

export function presentName(name: string): string {
  return Object.hasOwn(RENAMED, name) ? (RENAMED[name] ?? name) : name;
}

/** Takes the present name of a tool; undefined if the tool is unknown. */
export function classOf(name: string): ToolClass | undefined {
  return CLASS_OF.get(name);
}
