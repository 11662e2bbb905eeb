/** The size of a file as the language writes it: "212 kB", "1.2 MB", "1,2 Mo". */
export function showSize(bytes: number, language: string): string {
  const [unit, size] =
    bytes >= 1_000_000 ? (['megabyte', 1_000_000] as const) : (['kilobyte', 1_000] as const)
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
  }).format(Math.max(bytes / size, unit === 'kilobyte' ? 1 : 0))
}
