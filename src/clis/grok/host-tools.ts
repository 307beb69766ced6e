import type { Variables } from "../../spec/provider/cli-data.ts";
import type { NativeTools } from "../../spec/provider/provider-facts.ts";
import { BRIDGED_TOOLS } from "../shared/bridged-tools.ts";

/** The tools by which the model finds and calls those of MCP servers; Grok Build does not offer the model the tools themselves. */
export const SERVER_TOOLS: readonly string[] = ["search_tool", "use_tool"];

/** Grok Build cuts the instructions of a server after 2,048 characters. */
const LONGEST_INSTRUCTIONS = 2000;

/** The host tools that Grok Build takes from the bridge; checked with 1.0.41. */
export const grokHostTools: NativeTools = {
  ...BRIDGED_TOOLS,
  // It skips a tool whose name has a second `__` behind that of the server.
  names: /^(?!_)(?!.*__)[a-zA-Z0-9_-]{1,50}$/,
  descriptionLength: 2000,
  keepsSchemaDescription: true,
  resultBytes: 450_000,
  bridgeName: (server, tool) => `${server}__${tool}`,
  instructions: instructionsFor,
  areListed: true,
  // An agent has the user's home, and a file for an agent would take a part of its system prompt.
  forAgents: false,
};

/** The model is told the names, so that it knows what it can find. */
function instructionsFor(names: readonly string[]): string {
  let text = "Call these tools when they help:";
  for (const name of names) {
    if (text.length + name.length > LONGEST_INSTRUCTIONS) return `${text} and others.`;
    text += ` ${name}`;
  }
  return text;
}

/**
 * The arguments of a completion with host tools: nothing but the two tools for servers. A rule for all of `Read` would deny the search, so
 * that the rules are for paths: `use_tool` can also take its arguments from a file.
 */
export const HOST_TOOL_ARGUMENTS: readonly string[] = [
  ...["--tools", SERVER_TOOLS.join(","), "--disable-web-search", "--allow", "MCPTool"],
  ...["Bash", "Read(**)", "Read(/**)", "Edit", "Write", "Grep", "WebFetch"].flatMap((tool) => ["--deny", tool]),
];

/** Results of more than 20 KB would be cut without it. */
export const HOST_TOOL_VARIABLES: Variables = { GROK_MAX_MCP_OUTPUT_BYTES: "1000000" };
