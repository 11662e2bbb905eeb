/** Lengths in percent: rows that look like rows, not like bars of one length. */
const LENGTHS = [38, 62, 48, 70, 54, 44, 66]
const ROWS = 8

/** Rows shaped like the result, while it is on its way. */
export function SkeletonRows({ columns, label }: { columns: number; label: string }) {
  return Array.from({ length: ROWS }, (_, row) => (
    <tr key={row} className="fc-skeleton-row">
      {Array.from({ length: columns }, (_unused, column) => (
        <td key={column}>
          {row === 0 && column === 0 && <output className="fc-hidden">Loading {label.toLowerCase()}</output>}
          <span
            className="fc-skeleton"
            style={{ inlineSize: `${LENGTHS[(row * 3 + column) % LENGTHS.length] ?? 50}%` }}
          />
        </td>
      ))}
    </tr>
  ))
}
