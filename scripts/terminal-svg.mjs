const CELL_WIDTH = 8.4
const LINE_HEIGHT = 19
const PADDING = 18
/** The 16 terminal colours on a dark background, each with a contrast of at least 4.5:1. */
const COLORS = [
  '#6e7681',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#56d4dd',
  '#c9d1d9',
  '#8b949e',
  '#ffa198',
  '#a5f3b4',
  '#f2cc60',
  '#a5d6ff',
  '#e2c5ff',
  '#b3f0ff',
  '#f0f6fc',
]
const GROUND = '#0d1117'
const INK = '#e6edf3'
const DIM = '#9198a1'

/** Draws a screen: one `text` per line, one `tspan` for each run of cells in the same style. */
export function svgOf(lines, { columns, title }) {
  const width = Math.round(columns * CELL_WIDTH + 2 * PADDING)
  const height = lines.length * LINE_HEIGHT + 2 * PADDING
  const texts = lines.flatMap((cells, row) => {
    const spans = runsOf(cells).map(spanOf).join('')
    return spans === '' ? [] : [`<text y="${PADDING + (row + 1) * LINE_HEIGHT - 5}">${spans}</text>`]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${INK}" xml:space="preserve">
${texts.join('\n')}
</g>
</svg>
`
}

/** Runs end at two spaces, which browsers draw as one. */
function runsOf(cells) {
  const runs = []
  for (const [column, cell] of cells.entries()) {
    const style = styleOf(cell)
    const last = runs.at(-1)
    const isGap = cell.character === ' ' && (last?.text.endsWith(' ') ?? false)
    if (last?.style === style && !isGap) last.text += cell.character
    else runs.push({ column, style, text: cell.character })
  }
  return runs.filter(({ text }) => text.trim() !== '')
}

function styleOf({ color, isBold, isDim }) {
  const fill = color !== undefined && color < COLORS.length ? COLORS[color] : isDim ? DIM : undefined
  return `${fill === undefined ? '' : ` fill="${fill}"`}${isBold ? ' font-weight="bold"' : ''}`
}

/** Each run is as wide as its cells, in any font. */
function spanOf({ column, style, text }) {
  const from = text.length - text.trimStart().length
  const shown = text.trim()
  const x = (PADDING + (column + from) * CELL_WIDTH).toFixed(1)
  return `<tspan x="${x}" textLength="${(shown.length * CELL_WIDTH).toFixed(1)}"${style}>${escaped(shown)}</tspan>`
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
