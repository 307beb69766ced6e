/** What a request may ask for beyond prompt, system prompt, mode, model and timeouts; a provider names what it honours. */
export type RequestOption =
  | "system-append"
  | "add-dirs"
  | "tool-patterns"
  | "denial-reports"
  | "background-off"
  | "session-id"
  | "session-resume"
  | "session-fork"
  | "mcp-stdio"
  | "mcp-http"
  | "mcp-sse"
  | "output-schema"
  | "max-turns"
  | "max-output-tokens"
  | "effort"
  | "images"
  | "profile";

/** What a CLI does that no option of a request asks for; each provider states it. */
export type CliTraits = {
  readonly streaming: "token" | "message" | "none";
  readonly reasoning: boolean;
  /** What becomes of the CLI's own system prompt when a request has one. */
  readonly systemPrompt: "replace" | "append" | "none";
  /** Whether the CLI's own tools can be switched off altogether, or only restricted. */
  readonly ownTools: "off" | "restrict";
  readonly usage: "turn" | "thread" | "none";
  readonly cost: boolean;
  /** Whether the host can be asked before a tool runs; false by default. */
  readonly permissionRequests?: boolean;
};

/** What a provider can do; adapters, `requires` and `cox providers` read it. */
export type Capabilities = Required<CliTraits> & {
  readonly sessions: boolean;
  readonly hostTools: "native" | "text";
  readonly mcp: readonly ("stdio" | "http" | "sse")[];
  readonly structuredOutput: "native" | "text";
  readonly images: boolean;
  readonly resident: boolean;
};

/** The capabilities of a provider: its traits, and what its options say. */
export function capabilitiesOf(provider: {
  readonly traits: CliTraits;
  readonly options: readonly RequestOption[];
}): Capabilities {
  const has = (option: RequestOption): boolean => provider.options.includes(option);
  return {
    permissionRequests: false,
    ...provider.traits,
    sessions: has("session-resume"),
    hostTools: "text",
    mcp: (["stdio", "http", "sse"] as const).filter((transport) => has(`mcp-${transport}`)),
    structuredOutput: has("output-schema") ? "native" : "text",
    images: has("images"),
    resident: false,
  };
}
