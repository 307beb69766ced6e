import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { RunRequest } from "../spec/request.ts";
import { validateRequest } from "./validate-request.ts";

const ID = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const OTHER_ID = "0A9C0F6A-1B7D-4C55-9A51-3F0C2D8E7B11";

it("session ids are UUIDs in any case", () => {
  for (const session of [{ id: ID }, { resume: OTHER_ID }, { fork: ID }, { fork: ID, id: OTHER_ID }, { keep: true }] as const)
    expect(validate({ session })).toBeUndefined();
  for (const bad of ["", "latest", "--resume", `${ID}\n`, ` ${ID}`, ID.replaceAll("-", ""), `${ID}0`]) {
    for (const session of [{ id: bad }, { resume: bad }, { fork: bad }, { fork: ID, id: bad }]) {
      expect(validate({ session })).toMatchObject({ category: "validation", code: "session-invalid" });
    }
  }
});

it.each([
  {},
  { resume: ID, fork: ID },
  { resume: ID, id: ID },
  { keep: true, id: ID },
  { id: 5 },
  { resume: null },
  { other: ID },
])("the session %j is refused", (session) => {
  expect(validateJson({ session })).toMatchObject({ category: "validation", code: "session-invalid" });
});

it.each([
  { mode: "agents" },
  { systemMode: "prepend" },
  { effort: "--dangerously-skip-permissions" },
  { auth: "api_key" },
  { onPermissionDenied: "fail" },
  { mode: "agent", permissions: { mode: "acceptEdits" } },
  { mode: "agent", permissions: { mode: null } },
  { mode: "toString" },
])("an unknown value, as in %j, is refused and not replaced by a default", (request) => {
  expect(validateJson(request)).toMatchObject({ category: "validation", code: "bad-request" });
});

it.each([{ "": "x" }, { "A=B": "x" }, { "A\0": "x" }, { A: "x\0y" }])("the variable %j cannot be set", (env) => {
  expect(validateJson({ env })).toMatchObject({ category: "validation", code: "bad-request" });
});

it("no option may contain a NUL character", () => {
  const request: RunRequest = { prompt: "Hello" };
  for (const target of [{ model: "a\0b" }, { profile: "a\0b" }]) {
    expect(validateRequest(claude, { provider: "claude", ...target }, request, {})).toMatchObject({ code: "bad-request" });
  }
  for (const permissions of [{ allow: ["a\0b"] }, { deny: ["a\0b"] }, { tools: ["a\0b"] }]) {
    expect(validate({ mode: "agent", permissions })).toMatchObject({ code: "bad-request" });
  }
});

it("an agent's directories must exist and be directories", () => {
  const folder = temporaryFolder();
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(agent({ cwd: folder, addDirs: [folder] })).toBeUndefined();
  for (const path of [join(folder, "absent"), file, "a\0b"]) {
    expect(agent({ cwd: path })).toMatchObject({ category: "validation", code: "cwd-unusable" });
    expect(agent({ addDirs: [folder, path] })).toMatchObject({ category: "validation", code: "cwd-unusable" });
  }
  expect(agent({ cwd: file })?.message).toContain("is a file");
});

it("a directory without permission to enter is refused", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o666);
  expect(validateAsOrdinaryUser({ prompt: "Hello", mode: "agent", cwd: folder })).toBe("cwd-unusable");
  chmodSync(folder, 0o755);
  expect(validateAsOrdinaryUser({ prompt: "Hello", mode: "agent", cwd: folder })).toBe("fine");
});

function validate(request: Partial<RunRequest>): Failure | undefined {
  return validateRequest(claude, { provider: "claude" }, { prompt: "Hello", ...request }, {});
}

function agent(request: Partial<RunRequest>): Failure | undefined {
  return validate({ ...request, mode: "agent" });
}

/** Types a request as one from JavaScript or JSON. */
function validateJson(request: object): Failure | undefined {
  return validate(JSON.parse(JSON.stringify(request)));
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-validate-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Root may enter every directory, so the check runs in a process of another user. */
function validateAsOrdinaryUser(request: RunRequest): string {
  const modules = {
    validate: import.meta.resolve("./validate-request.ts"),
    claude: import.meta.resolve("../clis/claude/provider.ts"),
  };
  const script = `
    const { validateRequest } = await import(${JSON.stringify(modules.validate)});
    const { claude } = await import(${JSON.stringify(modules.claude)});
    const failure = validateRequest(claude, { provider: "claude" }, ${JSON.stringify(request)}, {});
    process.stdout.write(failure?.code ?? "fine");`;
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    ...nobody,
    cwd: "/",
    encoding: "utf8",
  });
  return stdout || stderr;
}
