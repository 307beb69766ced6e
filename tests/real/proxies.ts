import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy that does not answer; the bridge is reached without it. */
export const DEAD_PROXY = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" } as const;

/** A proxy as a company has one: it reaches the model, and no other server of this machine. */
export type Proxy = { readonly url: string; readonly asked: readonly string[] };

/** Opens a proxy for one test that tunnels to the host of this address alone; `asked` lists what it is asked for. */
export async function openProxy(modelUrl: string): Promise<Proxy> {
  const { host, hostname, port } = new URL(modelUrl);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.on("error", () => {});
    if (request.url !== host) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const tunnel = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(tunnel).pipe(socket);
    });
    tunnel.on("error", () => socket.destroy());
    socket.on("close", () => tunnel.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
