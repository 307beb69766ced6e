import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { rivalVersions } from "./install.ts";

/** The versions and the machine of a benchmark. */
export type Surroundings = {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly network: string;
};

const root = join(import.meta.dirname, "../..");

/** The date, the machine and the versions of all CLIs and libraries. */
export function readSurroundings(network: string): Surroundings {
  const clis = JSON.parse(readFileSync(join(root, "tests/support/real-clis/pinned-clis.json"), "utf8")) as Record<
    string,
    { version: string }
  >;
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${processors.length} cores (${processors[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform}`,
    node: process.version,
    versions: {
      coxswain: readCommit(),
      ...Object.fromEntries(Object.entries(clis).map(([cli, { version }]) => [cli, version])),
      ...rivalVersions,
    },
    network,
  };
}

function readCommit(): string {
  try {
    return `commit ${execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim()}`;
  } catch {
    return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
  }
}
