type Built = Pick<typeof import("../src/index.ts"), "createClient" | "builtinProviders">;

/** The package as it is published; `npm run bench` builds it first. */
export const built: Built = (await import(new URL("../dist/index.js", import.meta.url).href)) as Built;
