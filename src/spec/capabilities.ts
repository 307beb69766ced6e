/** What a provider can do; adapters and `cox providers` read it. */
export type Capabilities = {
  readonly streaming: "token" | "message" | "none";
  readonly reasoning: boolean;
  readonly sessions: boolean;
  readonly systemPrompt: "replace" | "append" | "none";
  /** Whether the CLI's own tools can be switched off altogether, or only restricted. */
  readonly ownTools: "off" | "restrict";
  readonly hostTools: "native" | "text";
  readonly mcp: readonly ("stdio" | "http" | "sse")[];
  readonly structuredOutput: "native" | "text";
  readonly images: boolean;
  readonly resident: boolean;
  readonly usage: "turn" | "thread" | "none";
  readonly cost: boolean;
  readonly permissionRequests: boolean;
};
