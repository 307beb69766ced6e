import { spawn } from "node:child_process";
import { once } from "node:events";
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
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HomeToMove, privateHome } from "./private-home.ts";

let folder = "";
let real = "";
let maskBefore = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-private-home-"));
  real = join(folder, "real");
  mkdirSync(join(real, ".cli"), { recursive: true });
  writeFileSync(join(real, ".cli", "login.json"), "secret");
  // Files must be private with any umask of the user.
  maskBefore = process.umask(0);
});

afterEach(() => {
  process.umask(maskBefore);
  rmSync(folder, { recursive: true, force: true });
});

it("links and files may be in folders, which only the owner can enter", () => {
  const home = make({
    links: [".cli/login.json", ".cli/deep/later.json"],
    files: [{ path: ".cli/settings.json", content: "{}" }],
  });
  expect(readFileSync(join(home, ".cli", "login.json"), "utf8")).toBe("secret");
  expect(readlinkSync(join(home, ".cli", "login.json"))).toBe(join(real, ".cli", "login.json"));
  expect(readlinkSync(join(home, ".cli", "deep", "later.json"))).toBe(join(real, ".cli", "deep", "later.json"));
  expect(readFileSync(join(home, ".cli", "settings.json"), "utf8")).toBe("{}");
  expect([home, join(home, ".cli"), join(home, ".cli", "deep")].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(modeOf(join(home, ".cli", "settings.json"))).toBe(0o600);
});

it("a home is the same at every call and contains only the requested links and files", () => {
  const parts = { links: ["login.json"], files: [{ path: "settings.json", content: "{}" }] };
  expect(make(parts)).toBe(make(parts));
  expect(readdirSync(make(parts)).toSorted()).toEqual(["login.json", "settings.json"]);
});

it("a correct file is not written again, and a wrong one is replaced", () => {
  const files = [{ path: "settings.json", content: "ours" }];
  const path = join(make({ files }), "settings.json");
  const before = lstatSync(path).ino;
  make({ files });
  expect(lstatSync(path).ino).toBe(before);
  writeFileSync(path, "changed by the CLI");
  make({ files });
  expect(readFileSync(path, "utf8")).toBe("ours");
});

it("a link at the path of a file is replaced, and its target is not written", () => {
  const files = [{ path: "settings.json", content: "ours" }];
  const path = join(make({ files }), "settings.json");
  rmSync(path);
  symlinkSync(join(real, ".cli", "login.json"), path);
  make({ files });
  expect(lstatSync(path).isFile()).toBe(true);
  expect(readFileSync(join(real, ".cli", "login.json"), "utf8")).toBe("secret");
});

it("a file at the path of a link is replaced by the link", () => {
  const path = join(make({ links: ["login.json"] }), "login.json");
  rmSync(path);
  writeFileSync(path, "stale");
  make({ links: ["login.json"] });
  expect(readlinkSync(path)).toBe(join(real, "login.json"));
});

it("a home that cannot be created is an error", () => {
  const home = make({});
  mkdirSync(join(home, "login.json"));
  expect(() => make({ links: ["login.json"] })).toThrow();
  expect(() => make({ files: [{ path: "login.json", content: "" }] })).toThrow();
  expect(readdirSync(home)).toEqual(["login.json"]);
});

it.each(["../outside", "deep/../../outside", "/../outside", "."])("%j is refused as a path in a home", (path) => {
  expect(() => make({ files: [{ path, content: "x" }] })).toThrow("not below");
  expect(() => make({ links: [path] })).toThrow("not below");
  expect(existsSync(join(folder, "state", "coxswain", "homes", "outside"))).toBe(false);
});

it("concurrent processes that create the same home all get a complete home", async () => {
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", MAKE_OFTEN], {
      env: { ...process.env, PARTS: JSON.stringify(toMove({ links: ["login.json"], files: FILES })) },
      stdio: ["ignore", "ignore", "pipe"],
    }),
  );
  const errors = children.map(async (child) => (await child.stderr.toArray()).join(""));
  const exits = await Promise.all(children.map((child) => once(child, "exit")));
  expect(await Promise.all(errors)).toEqual(["", "", "", ""]);
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(make({})).toSorted()).toEqual(["login.json", "settings.json"]);
});

const FILES = [{ path: "settings.json", content: "x".repeat(100_000) }];
/** Replaces the file again and again, so that each process keeps writing it, and reads it after each write. */
const MAKE_OFTEN = `
  import { readFileSync, rmSync } from "node:fs";
  import { privateHome } from ${JSON.stringify(new URL("./private-home.ts", import.meta.url).href)};
  const parts = JSON.parse(process.env.PARTS);
  for (let count = 0; count < 100; count += 1) {
    const home = privateHome(parts);
    const length = readFileSync(home + "/settings.json", "utf8").length;
    if (length !== 100000) throw new Error("read " + length);
    if (count % 3 === 0) privateHome({ ...parts, files: [{ path: "settings.json", content: "y".repeat(100000) }] });
  }
`;

function make(parts: Partial<HomeToMove>): string {
  const home = privateHome(toMove(parts));
  if (home === undefined) throw new Error("no home");
  return home;
}

function toMove(parts: Partial<HomeToMove>): HomeToMove {
  return { env: { XDG_STATE_HOME: join(folder, "state") }, provider: "cli", real, links: [], files: [], ...parts };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
