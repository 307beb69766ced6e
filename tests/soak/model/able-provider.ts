import type { ProviderTraits } from "./model-client.ts";

/** A provider that can do everything. */
export const ABLE: ProviderTraits = {
  options: [
    "session-id",
    "session-resume",
    "session-fork",
    "mcp-servers",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "effort",
    "images",
    "profile",
  ],
  capabilities: {
    streaming: "token",
    reasoning: true,
    sessions: true,
    systemPrompt: "replace",
    ownTools: "off",
    hostTools: "native",
    mcp: ["stdio", "http"],
    structuredOutput: "native",
    images: true,
    resident: true,
    usage: "turn",
    cost: true,
    permissionRequests: true,
  },
};
