type Named = { year: number; make: string | null; model: string; series: string; trim: string }

/** From this model year, every Sierra and Silverado above 1500 is called HD. */
const ALL_HEAVY_FROM = 2007

/** Manufacturers file some models under different names; these rules give the names that dealers use. */
const RULES: readonly ((of: Named) => string | null)[] = [
  // Giulia (952), Kicks MPV, Equus Passenger Car.
  ({ model }) => model.replace(/ (\([^)]*\)|MPV|Passenger Car)$/, ''),
  // GLC-Class is a GLC; an E-Class stays one.
  ({ make, model }) => (make === 'Mercedes-Benz' ? model.replace(/^([A-Z]{3})-Class$/, '$1') : null),
  ({ year, make, model, series }) => {
    const [load] = /\b(1500|2500|3500)\b/.exec(series) ?? []
    const [, name, heavy = ''] = /^(Sierra|Silverado)(?: (HD))?$/.exec(model) ?? []
    if (name === undefined || load === undefined || !['GMC', 'Chevrolet'].includes(make ?? '')) return null
    return `${name} ${load}${load !== '1500' && year >= ALL_HEAVY_FROM ? 'HD' : heavy}`
  },
  // Polestar files PS2.
  ({ make, model }) => (make === 'Polestar' ? model.replace(/^PS(\d)$/, '$1') : null),
  // Lexus files NX and, in the trim, 350.
  ({ make, model, trim }) => {
    const [number] = /^\d{3}[a-z]{0,2}\b/i.exec(trim) ?? []
    return make === 'Lexus' && number !== undefined && /^[A-Z]{2}$/.test(model) ? `${model} ${number}` : null
  },
]

/** The model name that dealers and feeds use. */
export function tradeName(of: Named): string {
  return RULES.reduce((model, rule) => rule({ ...of, model }) ?? model, of.model)
}
