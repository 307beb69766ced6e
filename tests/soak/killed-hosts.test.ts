import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/client.ts";
import { builtFile } from "../support/built/built-file.ts";
import { processesWith, untilGone } from "../support/processes/process-scan.ts";
import { createRandom, wholeBetween } from "../support/random.ts";
import { readQuotaFiles } from "./quota-files.ts";
import { SOAK_MARK } from "./soak-place.ts";

const WAITING_HOST = builtFile("tests/soak/hosts/waiting-host.ts");
const WRITING_HOST = builtFile("tests/soak/hosts/quota-writing-host.ts");
const HOSTS = 30;
/** As many as two cores can start at once. */
const AT_ONCE = 3;

type Scope = { readonly directory: string; readonly mark: string; readonly env: Readonly<Record<string, string | undefined>> };

function openScope(): Scope {
  const directory = mkdtempSync(join(tmpdir(), "soak-hosts-"));
  const mark = randomUUID();
  const env = {
    ...process.env,
    [SOAK_MARK]: mark,
    SOAK_CALL: directory,
    XDG_STATE_HOME: directory,
    TMPDIR: join(directory, "tmp"),
  };
  mkdirSync(env.TMPDIR);
  onTestFinished(async () => {
    for (const pid of await processesWith(SOAK_MARK, mark)) process.kill(pid, "SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  return { directory, mark, env };
}

/** Starts a host and waits for its line. */
async function startHost(program: string, env: Scope["env"]): Promise<ChildProcess> {
  const host = spawn(process.execPath, [program], {
    env: { ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([once(host.stdout, "data"), once(host, "exit")]);
  expect(host.exitCode).toBeNull();
  return host;
}

/** Resolves while a file is being written that will replace another, or a little later. */
async function untilSeenBeside(directory: string): Promise<void> {
  const before = besideIn(directory).length;
  for (let looks = 0; looks < 20_000 && besideIn(directory).length <= before; looks += 1) {
    if (looks % 100 === 99) await sleep(1);
  }
}

function besideIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => !name.endsWith(".json")) : [];
}

async function kill(host: ChildProcess): Promise<void> {
  const exit = once(host, "exit");
  host.kill("SIGKILL");
  expect(await exit).toEqual([null, "SIGKILL"]);
}

it.each(["retry", "queue"])(
  "a host that is killed while a run waits leaves no process behind (%s)",
  async (wait) => {
    const { directory, mark, env } = openScope();
    const host = await startHost(WAITING_HOST, { ...env, SOAK_WAIT: wait });
    await expect.poll(() => processesWith(SOAK_MARK, mark), { timeout: 10_000 }).toContain(host.pid);
    await kill(host);
    await untilGone(() => processesWith(SOAK_MARK, mark));
    expect(existsSync(join(directory, "a.journal"))).toBe(true);
    // The guardian removes the directory of the host after its last look for processes.
    await expect.poll(() => readdirSync(join(directory, "tmp")), { timeout: 10_000 }).toEqual([]);
  },
  60_000,
);

it("hosts that are killed while they write quotas never leave an unreadable file, and their temporary files are removed", async () => {
  const { directory, env } = openScope();
  const random = createRandom(1);
  const quotas = join(directory, "coxswain", "quota");
  let left = HOSTS;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const host = await startHost(WRITING_HOST, env);
      await (left % 2 === 0 ? sleep(wholeBetween(random, 0, 100)) : untilSeenBeside(quotas));
      await kill(host);
      expect(readQuotaFiles(quotas).every(({ message }) => message.endsWith("limit. "))).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const client = createClient({ env, now: () => Date.now() + 61_000 });
  onTestFinished(() => client.close());
  const known = client.spentQuotas().map(({ provider }) => provider);
  expect(known.toSorted()).toEqual(["p0", "p1", "p2"]);
  expect(readdirSync(quotas).filter((name) => !/^p\d-\w+\.json$/.test(name))).toEqual([]);
}, 120_000);
