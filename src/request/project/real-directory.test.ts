import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClient } from "../../client.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "real-directory-")));
  for (const name of ["claude", "codex", "opencode"]) {
    write(`bin/${name}`, "#!/bin/sh\n");
    chmodSync(join(root, "bin", name), 0o755);
  }
  write("project/.git/HEAD", "ref: refs/heads/main\n");
  mkdirSync(join(root, "project/inner"));
  symlinkSync(join(root, "project/inner"), join(root, "link"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** The plan of an agent whose directory is a link into the project, as text. */
async function planOf(target: string): Promise<string> {
  await using client = createClient({ env: { PATH: join(root, "bin"), HOME: join(root, "home") } });
  return JSON.stringify(client.plan(target, { mode: "agent", cwd: join(root, "link"), prompt: "Work." }));
}

it("a project is found from a link into it: its plugins, the programs of its git, and its folders for codex", async () => {
  write("project/.git/config", "[core]\n\tfsmonitor = planted\n");
  expect(await planOf("claude")).toContain("core.fsmonitor");
  const codex = await planOf("codex");
  for (const folder of ["project/inner", "project"]) expect(codex).toContain(join(root, folder));
  write("project/.opencode/plugin/planted.js", "");
  const refused = await planOf("opencode/anthropic/claude-sonnet-5");
  expect(refused).toContain("option-unsupported");
  expect(refused).toContain(".opencode/plugin: planted.js");
});
