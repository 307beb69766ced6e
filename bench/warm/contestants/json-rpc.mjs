import { spawn } from "node:child_process";
import { eachLine } from "../../rivals/contestants/each-line.mjs";

/** JSON-RPC in lines over the pipes of a process: sends requests and hands on notifications; requests of the process are refused. */
export function connect({ command, args, cwd }, header, onNotification) {
  const child = spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  const send = (message) => child.stdin.write(`${JSON.stringify({ ...header, ...message })}\n`);
  eachLine(child.stdout, ({ id, method, params, result, error }) => {
    if (method !== undefined) {
      if (id === undefined) onNotification(method, params);
      else send({ id, error: { code: -32601, message: "not supported" } });
      return;
    }
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (error === undefined) resolve?.(result);
    else reject?.(new Error(error.message));
  });
  child.on("close", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`exited with ${code}`));
  });
  let requests = 0;
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        requests += 1;
        waiting.set(requests, { resolve, reject });
        send({ id: requests, method, params });
      }),
    notify: (method, params) => send({ method, ...(params !== undefined && { params }) }),
    close: () => child.stdin.end(),
  };
}
