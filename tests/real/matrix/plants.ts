import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RealCli } from "../../support/real-clis/real-cli.ts";

/** Files and settings that CLIs read, run and send, each with a secret that identifies it. */
export type Plants = {
  /** A project, used as the directory of the host process. */
  readonly project: string;
  /** The hooks and servers that were started. */
  readonly started: () => readonly string[];
};

/** Plants instructions, servers and hooks for every CLI: in a project, in the home and in all directories above the private ones. */
export function plantForAll(cli: RealCli): Plants {
  const root = dirname(cli.home);
  const log = join(root, "started");
  const plant: Plant = (path, content) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? `${content}\n` : JSON.stringify(content));
  };
  const places = { PROJECT: "project", HOME: "home", ROOT: ".", STATE: "state", "STATE-COXSWAIN": "state/coxswain" };
  for (const [label, folder] of Object.entries(places)) plantProject(plant, log, join(root, folder), label);
  plantUser(plant, log, cli.home);
  const started = (): readonly string[] =>
    existsSync(log) ? [...new Set(readFileSync(log, "utf8").trim().split("\n"))].toSorted() : [];
  return { project: join(root, "project"), started };
}

type Plant = (path: string, content: string | object) => void;

const INSTRUCTIONS: readonly string[] = [
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", "CONTEXT.md", ".grok/GROK.md", ".github/copilot-instructions.md"],
  ...[".github/instructions/x.instructions.md", ".cursorrules", "note.txt", "a b.txt"],
];

function plantProject(plant: Plant, log: string, place: string, label: string): void {
  plant(join(place, ".git/HEAD"), "ref: refs/heads/main");
  for (const name of INSTRUCTIONS) plant(join(place, name), secretOf(`${label} ${name}`));
  plant(join(place, "package.json"), { name: secretOf(`${label} PACKAGE`) });
  plant(join(place, ".mcp.json"), servers(log, `${label}-MCP`));
  const security = { auth: { selectedType: "gemini-api-key" } };
  plant(join(place, ".gemini/settings.json"), {
    security,
    ...servers(log, `${label}-GEMINI-MCP`),
    hooks: eventHooks(log, `${label}-GEMINI-HOOK`),
  });
  plant(join(place, ".qwen/settings.json"), {
    ...servers(log, `${label}-QWEN-MCP`),
    hooks: eventHooks(log, `${label}-QWEN-HOOK`),
  });
  plant(join(place, "opencode.json"), opencodeSettings(log, `${label}-OPENCODE`));
  plant(join(place, ".github/mcp.json"), servers(log, `${label}-GITHUB-MCP`));
  plant(join(place, ".vscode/mcp.json"), { servers: servers(log, `${label}-VSCODE-MCP`).mcpServers });
  plant(join(place, ".github/hooks/planted.json"), copilotHooks(log, `${label}-COPILOT-HOOK`));
  plant(join(place, ".claude/settings.json"), { hooks: eventHooks(log, `${label}-CLAUDE-HOOK`) });
  plant(join(place, ".grok/settings.json"), servers(log, `${label}-GROK-MCP`));
  plantSkill(plant, join(place, ".agents/skills"), `${label}-AGENTS-SKILL`);
}

function plantUser(plant: Plant, log: string, home: string): void {
  plant(join(home, ".gemini/GEMINI.md"), secretOf("USER GEMINI MD"));
  plant(join(home, ".gemini/commands/help.toml"), `prompt = "${secretOf("USER GEMINI COMMAND")}"`);
  plant(join(home, ".qwen/QWEN.md"), secretOf("USER QWEN MD"));
  plant(join(home, ".qwen/output-language.md"), secretOf("USER QWEN LANGUAGE"));
  plant(join(home, ".qwen/commands/help.md"), secretOf("USER QWEN COMMAND"));
  plantSkill(plant, join(home, ".qwen/skills"), "USER-QWEN-SKILL");
  plant(join(home, ".config/opencode/AGENTS.md"), secretOf("USER OPENCODE AGENTS"));
  plant(join(home, ".config/opencode/opencode.json"), opencodeSettings(log, "USER-OPENCODE"));
  plant(join(home, ".copilot/copilot-instructions.md"), secretOf("USER COPILOT INSTRUCTIONS"));
  plant(join(home, ".copilot/mcp-config.json"), servers(log, "USER-COPILOT-MCP"));
  plant(join(home, ".copilot/hooks/planted.json"), copilotHooks(log, "USER-COPILOT-HOOK"));
  plant(join(home, ".claude/CLAUDE.md"), secretOf("USER CLAUDE MD"));
  plant(join(home, ".grok/AGENTS.md"), secretOf("USER GROK AGENTS"));
  plant(join(home, ".grok/GROK.md"), secretOf("USER GROK MD"));
  plantSkill(plant, join(home, ".grok/skills"), "USER-GROK-SKILL");
}

function plantSkill(plant: Plant, folder: string, label: string): void {
  const name = label.toLowerCase();
  plant(join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: ${secretOf(label)}\n---\n${secretOf(label)}`);
}

function secretOf(label: string): string {
  return `SECRET-OF-${label.toUpperCase().replaceAll(/[^A-Z]+/g, "-")}`;
}

/** A shell command that writes a file at its start and prints its secret. */
function command(log: string, label: string): string {
  return `echo ${label} >> '${log}'; echo ${secretOf(label)}`;
}

function servers(log: string, label: string): { readonly mcpServers: object } {
  const planted = { type: "stdio", command: "/bin/sh", args: ["-c", command(log, label)], tools: ["*"] };
  return { mcpServers: { planted } };
}

/** In the format of Claude, which Gemini and Qwen also use. */
function eventHooks(log: string, label: string): object {
  const entry = { hooks: [{ type: "command", command: command(log, label) }] };
  return { SessionStart: [entry], UserPromptSubmit: [entry], BeforeAgent: [entry], Stop: [entry] };
}

function copilotHooks(log: string, label: string): object {
  const entry = { type: "command", bash: command(log, label) };
  return { version: 1, hooks: { sessionStart: [entry], userPromptSubmitted: [entry] } };
}

function opencodeSettings(log: string, label: string): object {
  const planted = { type: "local", command: ["/bin/sh", "-c", command(log, `${label}-MCP`)], enabled: true };
  return { mcp: { planted }, agent: { coxswain: { mode: "primary", prompt: secretOf(`${label}-AGENT`) } } };
}
