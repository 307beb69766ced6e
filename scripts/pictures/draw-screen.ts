import type { Piece, Screen } from "./screen.ts";

const CELL = { width: 8.4, height: 20 };
const MARGIN = 16;
const BAR = 30;
/** Times are rounded, so that pieces share their rules. */
const STEP_MS = 50;

/**
 * The recording as an SVG that plays again and again. It has its own dark background, so that it is readable on light and on dark pages, and stands
 * still at its end for readers who want no motion.
 */
export function drawScreen({ pieces, durationMs }: Screen, columns: number, title: string): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = BAR + (Math.max(...pieces.map(({ row }) => row)) + 1) * CELL.height + MARGIN / 2;
  const rules = new Map<string, string>();
  const lines = pieces.map((piece) => drawPiece(piece, durationMs, rules));
  const play = `${round(durationMs / 1000)}s step-end infinite`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<title>${escapeXml(title)}</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}
.bold{font-weight:700}.dim{fill:#9da7b3}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#e3b341}.cyan{fill:#79c0ff}.gone{visibility:hidden}
@media (prefers-reduced-motion:no-preference){
${[...rules].map(([name, steps]) => `.${name}{animation:${name} ${play}}@keyframes ${name}{${steps}}`).join("\n")}
}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="#0d1117" stroke="#30363d"/>
<g fill="#484f58"><circle cx="18" cy="16" r="5"/><circle cx="36" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>
${lines.join("\n")}
</svg>
`;
}

function drawPiece({ row, column, text, style, from, to }: Piece, durationMs: number, rules: Map<string, string>): string {
  const begin = stepOf(from, durationMs);
  const end = to < durationMs ? stepOf(to, durationMs) : undefined;
  const name = [`t${begin}`, end]
    .filter((part) => part !== undefined)
    .join("-")
    .replaceAll(".", "_");
  const over = end === undefined ? "" : `${end}%{visibility:hidden}`;
  if (begin > 0) rules.set(name, `0%{visibility:hidden}${begin}%{visibility:visible}${over}`);
  const classes = [begin > 0 ? name : "", end === undefined ? "" : "gone", style].filter((word) => word !== "").join(" ");
  const x = round(MARGIN + column * CELL.width);
  // Fonts differ in the width of a character; the cells of a terminal do not.
  const length = text.length > 1 ? ` textLength="${round(text.length * CELL.width)}"` : "";
  return `<text x="${x}" y="${BAR + row * CELL.height + 15}" class="${classes}"${length}>${escapeXml(text)}</text>`;
}

/** A time as a part of the duration, in per cent. */
function stepOf(ms: number, durationMs: number): number {
  return round((100 * Math.round(ms / STEP_MS) * STEP_MS) / durationMs);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
