import type { ProviderTraits } from "./model-client.ts";

/** A provider that can do everything. */
export const ABLE: ProviderTraits = {
  options: [
    "session-id",
    "session-resume",
    "session-fork",
    "mcp-stdio",
    "mcp-http",
    "output-schema",
    "max-turns",
    "max-output-tokens",
    "effort",
    "images",
    "profile",
  ],
  traits: {
    streaming: "token",
    reasoning: true,
    systemPrompt: "replace",
    ownTools: "off",
    usage: "turn",
    cost: true,
    permissionRequests: true,
  },
};
