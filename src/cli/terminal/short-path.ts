import { relative } from "node:path";

/** The path relative to the current directory or to the home (`~`), whichever applies. */
export function shortPath(path: string): string {
  const [home, here] = [process.env["HOME"] ?? "", relative(".", path)];
  if (here !== "" && !here.startsWith("..")) return here;
  return home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
