import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { PrivateHome } from "../spec/provider/cli-data.ts";
import { makeRunHome } from "./private-home.ts";

let folder = "";
let real = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-run-home-"));
  real = join(folder, "real");
  mkdirSync(join(real, ".cli"), { recursive: true });
  writeFileSync(join(real, ".cli", "login.json"), "secret");
  writeFileSync(join(real, ".cli", "memory.md"), "not for this run");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function make(home: Partial<PrivateHome>): string {
  const given = { variable: "CLI_HOME", folder: ".", links: [], forRun: true, ...home };
  const directory = mkdtempSync(join(folder, "home-"));
  makeRunHome({ env: { HOME: folder, XDG_STATE_HOME: join(folder, "state") }, provider: "cli", real, home: given, directory });
  return directory;
}

it("a home has the login and our files, no other file of the user, and access for the owner only", () => {
  const home = make({
    links: [".cli/login.json", ".cli/later.json"],
    files: [{ path: ".cli/deep/settings.json", content: "{}" }],
  });
  expect(readFileSync(join(home, ".cli/login.json"), "utf8")).toBe("secret");
  expect(readlinkSync(join(home, ".cli/later.json"))).toBe(join(real, ".cli/later.json"));
  expect(readFileSync(join(home, ".cli/deep/settings.json"), "utf8")).toBe("{}");
  expect(readdirSync(join(home, ".cli")).toSorted()).toEqual(["deep", "later.json", "login.json"]);
  expect(
    [home, join(home, ".cli/deep"), join(home, ".cli/deep/settings.json")].map((path) => statSync(path).mode & 0o777),
  ).toEqual([0o700, 0o700, 0o600]);
});

it("a sink discards what a CLI writes and stays empty", () => {
  const sink = join(make({ sinks: ["language.md"] }), "language.md");
  expect(existsSync(sink)).toBe(true);
  writeFileSync(sink, "You must answer in Danish.");
  expect(readFileSync(sink, "utf8")).toBe("");
});

it("kept folders outlive the home and are shared by all runs", () => {
  const first = make({ kept: [".cli/chats"] });
  writeFileSync(join(first, ".cli/chats/one.jsonl"), "said");
  rmSync(first, { recursive: true });
  const second = make({ kept: [".cli/chats"] });
  expect(readFileSync(join(second, ".cli/chats/one.jsonl"), "utf8")).toBe("said");
  expect(lstatSync(join(second, ".cli/chats")).isSymbolicLink()).toBe(true);
});

it("a home without kept folders leaves nothing behind", () => {
  make({ links: [".cli/login.json"] });
  expect(existsSync(join(folder, "state"))).toBe(false);
});

it("removing a home does not remove the login", () => {
  rmSync(make({ links: [".cli/login.json"] }), { recursive: true });
  expect(readFileSync(join(real, ".cli/login.json"), "utf8")).toBe("secret");
});
