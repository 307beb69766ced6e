import { copilot } from "../../../src/clis/copilot/provider.ts";
import { pathOf } from "../../../src/spec/provider/cli-data.ts";
import type { Provider } from "../../../src/spec/provider/provider.ts";
import { programProvider } from "../../support/clis/program-provider.ts";

/** A provider with Copilot's wire and host tools that runs programs/calls-bridge.mjs. */
export function bridgingProvider(): Provider {
  const { wire, nativeTools } = copilot.transports.spawn;
  if (nativeTools === undefined) throw new Error("Copilot has no native host tools.");
  return programProvider(
    "calls-bridge",
    {},
    {
      wire,
      nativeTools,
      launch: ({ mcpServers = {} }) => {
        const file = { name: "mcp.json", content: JSON.stringify({ mcpServers }) };
        return { args: [pathOf(file)], tempFiles: [file] };
      },
    },
  );
}
