import type { Variables } from "../../spec/provider/cli-data.ts";
import type { McpConfig } from "../../spec/provider/provider.ts";
import type { Refusal } from "../../spec/provider/provider-facts.ts";
import type { McpServer, McpServers, PromptRequest } from "../../spec/request.ts";
import { tomlString } from "../shared/toml.ts";

type Setting = readonly [name: string, value: string];

/**
 * The servers as Codex gets them: one setting in each line, each passed by `-c`. Other users of the machine can see arguments, so the
 * values of variables and headers are in the environment, and the settings name them.
 */
export function codexMcpConfig(servers: McpServers): McpConfig {
  const entries = Object.entries(servers);
  const lines = entries.flatMap(([name, server]) =>
    settingsOf(name, server).map(([key, value]) => `mcp_servers.${name}.${key}=${value}`),
  );
  return {
    place: "-c",
    content: lines.join("\n"),
    env: Object.assign({}, ...entries.map(([name, server]) => variablesOf(name, server))),
  };
}

/** The arguments for the servers of a request; in a completion their tools are the only ones, and they are allowed. */
export function mcpArguments({ mcpServers, mode }: PromptRequest): readonly string[] {
  if (mcpServers === undefined || Object.keys(mcpServers).length === 0) return [];
  const allowed = Object.keys(mcpServers).map((name) => `mcp_servers.${name}.default_tools_approval_mode="approve"`);
  const lines = [...codexMcpConfig(mcpServers).content.split("\n"), ...(mode === "agent" ? [] : allowed)];
  return lines.flatMap((line) => ["-c", line]);
}

/** Refuses servers that Codex would misread, or whose settings would change Codex itself or be visible. */
export function refuseCodexServers({ mcpServers = {} }: PromptRequest): Refusal | undefined {
  const values = new Map<string, string>();
  for (const [name, server] of Object.entries(mcpServers)) {
    if (!/^[A-Za-z0-9_-]+$/.test(name))
      return refusal(`Codex takes no MCP server with the name "${name}".`, "Use letters, digits, _ and -.");
    if ("url" in server && /[?@]/.test(server.url)) {
      const message = `The URL of the MCP server "${name}" would be an argument of Codex, which other users of the machine can see.`;
      return refusal(message, "Put the secret into a header.");
    }
    for (const [variable, value] of Object.entries("url" in server ? {} : (server.env ?? {}))) {
      const isTaken = values.has(variable) && values.get(variable) !== value;
      if (isTaken || OWN_VARIABLES.test(variable)) return refuseVariable(name, variable);
      values.set(variable, value);
    }
  }
  return undefined;
}

/** Codex passes variables of its own environment on, so that a server cannot have another value of one that Codex reads. */
const OWN_VARIABLES = /^(?:CODEX_\w*|OPENAI_\w*|PATH|HOME|\w*_PROXY)$/i;

function refuseVariable(server: string, variable: string): Refusal {
  const message = `Codex cannot give the MCP server "${server}" its own value of the variable ${variable}.`;
  return refusal(message, "Set the variable in a script that starts the server.");
}

function refusal(message: string, hint: string): Refusal {
  return { code: "option-unsupported", message, hint };
}

function settingsOf(name: string, server: McpServer): readonly Setting[] {
  const required: readonly Setting[] = server.required === true ? [["required", "true"]] : [];
  if ("url" in server) {
    const headers = Object.keys(server.headers ?? {}).map(
      (header, index) => `${tomlString(header)}=${tomlString(headerVariable(name, index))}`,
    );
    return [
      ["url", tomlString(server.url)],
      ...(headers.length === 0 ? [] : [["env_http_headers", `{${headers.join(",")}}`] as const]),
      ...required,
    ];
  }
  const { command, args = [], env = {} } = server;
  const variables = Object.keys(env);
  return [
    ["command", tomlString(command)],
    ["args", tomlList(args)],
    ...(variables.length === 0 ? [] : [["env_vars", tomlList(variables)] as const]),
    ...required,
  ];
}

function variablesOf(name: string, server: McpServer): Variables {
  if (!("url" in server)) return server.env ?? {};
  const values = Object.values(server.headers ?? {}).map((value, index) => [headerVariable(name, index), value]);
  return Object.fromEntries(values);
}

function headerVariable(name: string, index: number): string {
  return `COXSWAIN_MCP_${name.replaceAll("-", "_").toUpperCase()}_${index + 1}`;
}

function tomlList(texts: readonly string[]): string {
  return `[${texts.map(tomlString).join(",")}]`;
}
