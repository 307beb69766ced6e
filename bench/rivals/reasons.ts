const ENDS_AT_ONCE = "`streamText()` ends its stream at the abort and leaves the CLI to itself; see what is alive afterwards.";

/** Why Coxswain is behind in a row, by the row's id, or by CLI and id; printed only for such a row. */
export const REASONS: Readonly<Record<string, string>> = {
  "codex:cpu":
    "Coxswain writes and removes the files of its launch (system prompt, model catalogue), tells its guardian of each run and makes events of lines; codex-sdk spawns and parses.",
  "codex:memory":
    "codex-sdk is one small file that hands on parsed lines; Coxswain loads its supervision of processes, its dialects and its rules for failures.",
  "memory-all":
    "The guardian is a Node process of its own. It ends the CLI and its tools when the host is killed; `guardian: false` does without it.",
  "codex:stream": "codex-sdk hands on parsed lines; Coxswain makes typed events of them and folds those into a result.",
  "stream-memory": "The result of a run keeps every tool call with its output; the rival's stream keeps nothing.",
  "refusal-0":
    "Coxswain names the failure by its words. The expressions for these are compiled at the first failure of a process.",
  "abort-settled": ENDS_AT_ONCE,
  "stubborn-settled": ENDS_AT_ONCE,
};
