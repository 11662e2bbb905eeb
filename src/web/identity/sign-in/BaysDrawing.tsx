/** Column, row and opacity of each parked car. One is highlighted. */
const CARS = [
  { column: 4, row: 0, weight: 0.16 },
  { column: 3, row: 1, weight: 0.2 },
  { column: 0, row: 2, weight: 0.16 },
  { column: 1, row: 2, weight: 0.12 },
  { column: 2, row: 4, weight: 0.2 },
  { column: 5, row: 3, weight: 0.12 },
  { column: 3, row: 3, weight: 1 },
  { column: 0, row: 5, weight: 0.12 },
  { column: 5, row: 5, weight: 0.18 },
] as const
const BAY = { width: 104, height: 196, line: 116 }

/** Decoration of the sign-in panel: parking bays from above, in white over the brand's darkest shade. */
export function BaysDrawing() {
  const columns = Array.from({ length: 9 }, (_, index) => index - 1)
  const rows = Array.from({ length: 8 }, (_, index) => index - 1)
  return (
    <svg className="fc-bays" viewBox="0 0 600 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g transform="rotate(-13 300 450)">
        {columns.flatMap((column) =>
          rows.map((row) => (
            <path
              key={`${column} ${row}`}
              d={`M${column * BAY.width} ${row * BAY.height + (column % 2) * 24}v${BAY.line}`}
              stroke="currentColor"
              strokeWidth="1.3"
              opacity="0.3"
            />
          )),
        )}
        {CARS.map(({ column, row, weight }) => (
          <g
            key={`${column} ${row}`}
            className={weight === 1 ? 'fc-bays-chosen' : undefined}
            transform={`translate(${column * BAY.width + 15} ${row * BAY.height + 4})`}
          >
            <rect width="74" height="104" rx="15" fill="currentColor" opacity={weight} />
            <rect className="fc-bays-roof" x="9" y="28" width="56" height="50" rx="9" />
          </g>
        ))}
      </g>
    </svg>
  )
}
