// Dies at the moment at which it would start its program: the private files of the run are written, and no process is registered. With
// BEFORE=answer it finishes another run first.
import childProcess from "node:child_process";
import { readdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { createClient } from "../../../src/index.ts";
import { programProvider } from "../../support/clis/program-provider.ts";
import { report } from "./report.ts";

/** What this host reports: the files that are there when it dies. */
export type DeathReport = { readonly files: readonly string[] };

const client = createClient({ providers: [programProvider("answers")] });
if (process.env["BEFORE"] === "answer") await client.run("bad", { prompt: "Answer." }).result();
const { spawn } = childProcess;
childProcess.spawn = ((command: string, ...rest: [readonly string[], childProcess.SpawnOptions]) => {
  if (command === process.execPath) return spawn(command, ...rest);
  report({ files: readdirSync(tmpdir(), { recursive: true, encoding: "utf8" }) } satisfies DeathReport);
  process.kill(process.pid, "SIGKILL");
  throw new Error("dead");
}) as typeof spawn;
syncBuiltinESMExports();
const headers = { Authorization: "Bearer planted-secret" };
await client
  .run("bad", { prompt: "Work.", mcpServers: { boats: { type: "http", url: "http://127.0.0.1:9", headers } } })
  .result();
