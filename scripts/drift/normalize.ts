/** A text without the parts that differ between two runs: paths, ids, times, ports, counts of milliseconds, versions. */
export function normalize(text: string, root: string): string {
  return text
    .replaceAll(root, "<root>")
    .replace(/\/\S*\/node_modules\//g, "<installed>/node_modules/")
    .replace(/-?tmp-coxswain-real-\w+/g, "<root>")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d[:-]\d\d(?:[.,-]\d+)?Z?)?/g, "<time>")
    .replace(/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, "<time>")
    .replace(/127\.0\.0\.1:\d+/g, "<api>")
    .replace(/\bcc_version=[\w.]+/g, "cc_version=<version>")
    .replace(/\bcch=\w+/g, "cch=<id>")
    .replace(/\b(?=\w*\d)[\da-f]{8,}\b/gi, "<id>")
    .replace(/\b(?:toolu|msg|call|chatcmpl|req|task|agent)[_-]\w+/g, "<id>")
    .replace(/\b(ID|Id|id): \w+/g, "$1: <id>")
    .replace(/\b\d{4,}\b/g, "<n>");
}

/** The name of a file that a CLI left, without its variable parts. */
export function normalizePath(path: string, root: string): string {
  return normalize(path, root)
    .replace(/(?<=\/tasks\/)\w+/, "<id>")
    .replace(/(?<=[._-])(?=[a-z]*[\dA-Z])[A-Za-z\d]{6,}(?=[./]|$)/g, "<id>")
    .replace(/(?<=\/)(?=[a-z]*\d)[a-z\d]{8,}(?=[./]|$)/g, "<id>");
}
