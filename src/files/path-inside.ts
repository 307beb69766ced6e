import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The real path of `path`, which begins at the directory if it is relative; undefined if it is neither the directory nor below it. A link that
 * leads outside counts as outside. Throws if one of them does not exist.
 */
export function realPathInside(directory: string, path: string): string | undefined {
  const root = realpathSync(directory);
  const place = realpathSync(resolve(root, path));
  const way = relative(root, place);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : place;
}
