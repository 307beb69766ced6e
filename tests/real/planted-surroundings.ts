import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FakeApiRequest } from "../../src/testing/index.ts";
import type { RealCli } from "../support/real-clis/real-cli.ts";

/** Files and settings that a CLI reads, runs and sends, each with a secret that identifies it. */
export type PlantedSurroundings = {
  /** A project, used as the directory of the host process. */
  readonly project: string;
  /** The hooks, servers and notifiers that were started. */
  readonly started: () => readonly string[];
};

/** Plants project files: in a project, in the home and in every directory above the private one. */
export function plantProjects(cli: RealCli): PlantedSurroundings {
  const root = dirname(cli.home);
  const plant = new Plant(root);
  const places = { PROJECT: "project", HOME: "home", ROOT: ".", STATE: "state", "STATE-COXSWAIN": "state/coxswain" };
  for (const [label, folder] of Object.entries(places)) plantProject(plant, join(root, folder), label);
  return { project: join(root, "project"), started: () => plant.started() };
}

/** Plants user configuration of both CLIs. */
export function plantUserConfiguration(cli: RealCli): PlantedSurroundings {
  const root = dirname(cli.home);
  const plant = new Plant(root);
  plantClaudeUser(plant, cli.home);
  plantCodexUser(plant, join(cli.home, ".codex"));
  mkdirSync(join(root, "project"), { recursive: true });
  return { project: join(root, "project"), started: () => plant.started() };
}

/** The secrets in the body or the headers of a request, each once. */
export function secretsIn(requests: readonly FakeApiRequest[]): readonly string[] {
  const sent = requests.map((request) => request.path + request.query + JSON.stringify(request.headers) + request.rawBody);
  return [...new Set(sent.join("\n").match(/SECRET-OF-[A-Z-]*[A-Z]/gi) ?? [])].toSorted();
}

class Plant {
  private readonly log: string;

  constructor(root: string) {
    this.log = join(root, "started");
  }

  started(): readonly string[] {
    return existsSync(this.log) ? [...new Set(readFileSync(this.log, "utf8").trim().split("\n"))].toSorted() : [];
  }

  /** Writes a file; an object becomes JSON. */
  file(path: string, content: string | object): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? `${content}\n` : JSON.stringify(content));
  }

  /** A shell command that writes a file at its start and prints its secret. */
  command(label: string): string {
    return `echo ${label} >> '${this.log}'; echo SECRET-OF-${label}`;
  }

  hooks(label: string): object {
    const entry = { hooks: [{ type: "command", command: this.command(label) }] };
    return { SessionStart: [entry], UserPromptSubmit: [entry], Stop: [entry] };
  }

  server(label: string): { readonly command: string; readonly args: readonly string[] } {
    return { command: "/bin/sh", args: ["-c", this.command(label)] };
  }

  skill(folder: string, label: string): void {
    const name = label.toLowerCase();
    this.file(join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: SECRET-OF-${label}\n---\nSECRET-OF-${label}`);
  }
}

function plantProject(plant: Plant, place: string, label: string): void {
  plant.file(join(place, ".git/HEAD"), "ref: refs/heads/main");
  plant.file(join(place, ".git/config"), `[remote "origin"]\n\turl = https://git.example/SECRET-OF-${label}-GIT.git`);
  for (const name of ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "note.txt", "a b.txt", "x"]) {
    plant.file(join(place, name), `SECRET-OF-${label}-${name.toUpperCase().replaceAll(/[^A-Z]/g, "-")}`);
  }
  plant.file(join(place, "package.json"), { name: `SECRET-OF-${label}-PACKAGE` });
  plant.file(join(place, ".mcp.json"), { mcpServers: { planted: plant.server(`${label}-MCP`) } });
  plant.file(join(place, ".claude/commands/help.md"), `SECRET-OF-${label}-COMMAND`);
  plant.skill(join(place, ".claude/skills"), `${label}-CLAUDE-SKILL`);
  plant.skill(join(place, ".agents/skills"), `${label}-AGENTS-SKILL`);
  const settings = { enableAllProjectMcpServers: true, hooks: plant.hooks(`${label}-HOOK`) };
  plant.file(join(place, ".claude/settings.json"), settings);
  plant.file(join(place, ".claude/settings.local.json"), { hooks: plant.hooks(`${label}-LOCAL-HOOK`) });
}

function plantClaudeUser(plant: Plant, home: string): void {
  plant.file(join(home, ".claude.json"), { mcpServers: { planted: plant.server("USER-MCP") } });
  plant.file(join(home, ".claude/CLAUDE.md"), "SECRET-OF-USER-CLAUDE-MD");
  plant.file(join(home, ".claude/rules/always.md"), "SECRET-OF-USER-RULE");
  plant.file(join(home, ".claude/agents/planted.md"), "---\nname: planted\ndescription: SECRET-OF-USER-AGENT\n---\nWork.");
  plant.file(join(home, ".claude/output-styles/planted.md"), "---\nname: planted\ndescription: x\n---\nSECRET-OF-USER-STYLE");
  plant.file(join(home, ".claude/settings.json"), {
    outputStyle: "planted",
    model: "SECRET-OF-USER-MODEL",
    env: { ANTHROPIC_CUSTOM_HEADERS: "x-planted: SECRET-OF-USER-HEADER" },
    hooks: plant.hooks("USER-HOOK"),
  });
}

function plantCodexUser(plant: Plant, codexHome: string): void {
  const server = plant.server("CODEX-MCP");
  plant.file(join(codexHome, "AGENTS.md"), "SECRET-OF-CODEX-AGENTS-MD");
  plant.skill(join(codexHome, "skills"), "CODEX-SKILL");
  plant.file(join(codexHome, "prompts/help.md"), "SECRET-OF-CODEX-PROMPT");
  plant.file(join(codexHome, "hooks.json"), { hooks: plant.hooks("CODEX-HOOK") });
  plant.file(
    join(codexHome, "config.toml"),
    [
      'developer_instructions = "SECRET-OF-CODEX-DEVELOPER-INSTRUCTIONS"',
      `notify = ${JSON.stringify(["/bin/sh", "-c", plant.command("CODEX-NOTIFY")])}`,
      "[mcp_servers.planted]",
      `command = ${JSON.stringify(server.command)}`,
      `args = ${JSON.stringify(server.args)}`,
    ].join("\n"),
  );
}
