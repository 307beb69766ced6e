import { type Capabilities, capabilitiesOf } from "../spec/provider/cli-data.ts";
import type { Provider } from "../spec/provider/provider.ts";

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

/**
 * What a constructor does when it is asked for a feature: `supported` (it does it), `automatic` (it happens, or is switched off, by itself),
 * `refused` (it throws) or `ignored` (it goes on without it and warns).
 */
export type Support = "supported" | "automatic" | "refused" | "ignored";

export type Cell = {
  readonly support: Support;
  /** Whether the caller gets what was asked for. */
  readonly isMet: boolean;
  readonly reason: string;
};

/** What a feature is asked of: the CLI of a provider, or any chat model of LangChain. */
export type Subject = Pick<Provider, "label" | "traits" | "options"> | "langchain";

type CliFacts = Pick<Provider, "label"> & Pick<Capabilities, "streaming" | "structuredOutput">;

const met = (support: Support, reason: string): Cell => ({ support, isMet: true, reason });
const unmet = (support: Support, reason: string): Cell => ({ support, isMet: false, reason });

/** Every CLI is an agent of its own: it manages its context, its tools and the code that it runs. */
const OF_CLI: Readonly<Record<Feature, (cli: CliFacts) => Cell>> = {
  streaming: ({ label, streaming }) =>
    streaming === "none"
      ? unmet("ignored", `${label} prints its whole answer at the end`)
      : met("automatic", "every run streams"),
  structuredOutput: ({ label, structuredOutput }) =>
    met("supported", structuredOutput === "native" ? `${label} takes a schema` : "the schema goes into the prompt"),
  parallelTools: ({ label }) =>
    unmet("ignored", `${label} decides itself which tools run at once, and the host decides it for its own tools`),
  smartRouting: () => unmet("ignored", "all tools are passed on, and the model chooses among them"),
  contextOffloading: ({ label }) => unmet("automatic", `${label} manages its context itself, so nothing is offloaded for it`),
  contextSummarization: ({ label }) => unmet("refused", `${label} manages its context itself`),
  contextEditing: ({ label }) => unmet("refused", `${label} manages its context itself`),
  toolSearch: ({ label }) => unmet("refused", `${label} decides itself which tools it shows to the model`),
  codeExecution: ({ label }) => unmet("refused", `${label} runs code only with its own tools, in agent mode`),
};

const NOT_BUILT = "the agent has no such step; LangChain's own agents have middleware for it";

/** A chat model of LangChain does one request; the rest is the agent's. */
const OF_LANGCHAIN: Readonly<Record<Feature, Cell>> = {
  streaming: met("automatic", "a model that can stream does"),
  structuredOutput: met("supported", "by the model's own withStructuredOutput"),
  parallelTools: met("automatic", "the agent runs the calls of one answer at once"),
  smartRouting: unmet("ignored", "all tools are passed on, and the model chooses among them"),
  contextOffloading: unmet("refused", NOT_BUILT),
  contextSummarization: unmet("refused", NOT_BUILT),
  contextEditing: unmet("refused", NOT_BUILT),
  toolSearch: unmet("refused", NOT_BUILT),
  codeExecution: unmet("refused", "the agent runs no code; give it a tool that does"),
};

/** The cells of a provider, from its capabilities, or those of LangChain's models. */
export function cellsOf(subject: Subject): Readonly<Record<Feature, Cell>> {
  if (subject === "langchain") return OF_LANGCHAIN;
  const facts = { ...capabilitiesOf(subject), label: subject.label };
  return Object.fromEntries(FEATURES.map((feature) => [feature, OF_CLI[feature](facts)])) as Record<Feature, Cell>;
}
