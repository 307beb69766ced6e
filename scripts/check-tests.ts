// Fails when docs/tests.md names a path that does not exist, or leaves out a folder with tests or a room of src with some; when a folder of tests imports from
// another one than tests/support; and when a folder of tests/support has more than 20 files. Usage: check-tests.ts [root]
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const page = "docs/tests.md";
const mostFiles = 20;
/** It runs the suites of other folders on the real CLIs. */
const borrower = "tests/real";

const root = process.argv[2] ?? join(import.meta.dirname, "..");
const text = readFileSync(join(root, page), "utf8");
const named = [...new Set([...text.matchAll(/`((?:tests|src|scripts|bench)\/[^`\s]*)`/g)].map(([, path = ""]) => path))];
const tests = globSync("tests/**/*.test.ts", { cwd: root });
const sources = globSync("tests/**/*.{ts,mjs}", { cwd: root });
const problems = [...missingPaths(), ...unnamedFolders(), ...sources.flatMap(foreignImports), ...fullFolders()];

for (const problem of problems) console.error(problem);
console.log(`tests: ${tests.length} files, ${named.length} paths on ${page}, ${problems.length} problems`);
process.exitCode = problems.length > 0 || tests.length === 0 ? 1 : 0;

function missingPaths(): readonly string[] {
  const isMissing = (path: string): boolean => globSync(path, { cwd: root }).length === 0;
  return named.filter(isMissing).map((path) => `${page} names ${path}, which does not exist`);
}

function unnamedFolders(): readonly string[] {
  const rooms = globSync("src/*/**/*.test.ts", { cwd: root }).map(areaOf);
  const folders = [...new Set([...tests.map((file) => dirname(file)), ...rooms])].toSorted();
  const isNamed = (folder: string): boolean => named.some((path) => path === folder || path.startsWith(`${folder}/`));
  return folders.filter((folder) => !isNamed(folder)).map((folder) => `${page} does not name ${folder}`);
}

function foreignImports(file: string): readonly string[] {
  const own = areaOf(file);
  // Biome's formatter guarantees double quotes and statements that begin a line.
  const statement = /^(?:import|export)\b[^;"]*?\bfrom "(\.[^"]+)"|^import "(\.[^"]+)"/gm;
  return [...readFileSync(join(root, file), "utf8").matchAll(statement)]
    .map((match) => normalize(join(dirname(file), match[1] ?? match[2] ?? "")))
    .filter((target) => target.startsWith("tests/") && ![own, "tests/support"].includes(areaOf(target)) && own !== borrower)
    .map((target) => `${file} imports ${target}; what folders of tests share belongs into tests/support`);
}

/** The folder of tests, or the room of src, to which a file belongs. */
function areaOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

function fullFolders(): readonly string[] {
  const folders = globSync("tests/support/**/*.*", { cwd: root }).map((file) => dirname(file));
  const counts = Map.groupBy(folders, (folder) => folder);
  return [...counts]
    .filter(([, files]) => files.length > mostFiles)
    .map(([folder, files]) => `${folder} has ${files.length} files; the ceiling is ${mostFiles}`);
}
