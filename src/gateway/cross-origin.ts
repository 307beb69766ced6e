/** The headers that let a page of an allowed origin read the response; none for other requests. */
export function crossOriginHeaders({ headers }: Request, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "*", vary: "origin" };
}

const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

/** The answer to the question of a browser whether a page of an allowed origin may send a request. */
export function answerPreflight({ headers }: Request): Response {
  const wanted = headers.get("access-control-request-headers") ?? "";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST",
      "access-control-max-age": "600",
      ...(HEADER_NAMES.test(wanted) && { "access-control-allow-headers": wanted }),
    },
  });
}

/** True for the question of a browser that precedes a request of a page. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}
