/** Something that an agent can be asked for beyond an answer; every constructor of a model or an agent takes them. */
export type Feature =
  | "streaming"
  | "structuredOutput"
  | "parallelTools"
  | "smartRouting"
  | "contextOffloading"
  | "contextSummarization"
  | "contextEditing"
  | "toolSearch"
  | "codeExecution";

/** The name of each feature in messages and tables. */
export const FEATURE_NAMES: Readonly<Record<Feature, string>> = {
  streaming: "streaming",
  structuredOutput: "structured output",
  parallelTools: "parallel tools",
  smartRouting: "smart routing",
  contextOffloading: "context offloading",
  contextSummarization: "context summarization",
  contextEditing: "context editing",
  toolSearch: "tool search",
  codeExecution: "code execution",
};

/** All features, in the order of the matrix. */
export const FEATURES: readonly Feature[] = Object.keys(FEATURE_NAMES) as Feature[];
