/** The eGRID subregions with the names used by the US EPA, which publishes their emission factors (eGRID2023). */
export const GRID_REGIONS = {
  AKGD: 'ASCC Alaska Grid',
  AKMS: 'ASCC Miscellaneous',
  AZNM: 'WECC Southwest',
  CAMX: 'WECC California',
  ERCT: 'ERCOT All',
  FRCC: 'FRCC All',
  HIMS: 'HICC Miscellaneous',
  HIOA: 'HICC Oahu',
  MROE: 'MRO East',
  MROW: 'MRO West',
  NEWE: 'NPCC New England',
  NWPP: 'WECC Northwest',
  NYCW: 'NPCC NYC/Westchester',
  NYLI: 'NPCC Long Island',
  NYUP: 'NPCC Upstate NY',
  PRMS: 'Puerto Rico Miscellaneous',
  RFCE: 'RFC East',
  RFCM: 'RFC Michigan',
  RFCW: 'RFC West',
  RMPA: 'WECC Rockies',
  SPNO: 'SPP North',
  SPSO: 'SPP South',
  SRMV: 'SERC Mississippi Valley',
  SRMW: 'SERC Midwest',
  SRSO: 'SERC South',
  SRTV: 'SERC Tennessee Valley',
  SRVC: 'SERC Virginia/Carolina',
} as const
export type GridRegion = keyof typeof GRID_REGIONS

export function isGridRegion(code: string): code is GridRegion {
  return Object.hasOwn(GRID_REGIONS, code)
}

/** The codes in alphabetical order. */
export const GRID_REGION_CODES: readonly GridRegion[] = Object.keys(GRID_REGIONS).filter(isGridRegion)

/**
 * States, or ZIP code prefixes in them, that are in one subregion. Subregion borders follow utilities, not ZIP codes.
 * Prefixes at a border aren't listed and get no suggestion, because users would trust a wrong one. Source: the subregion
 * map that the EPA publishes with eGRID; its Power Profiler is authoritative.
 */
const REGIONS_BY_STATE: Readonly<Partial<Record<string, GridRegion | Partial<Record<GridRegion, string>>>>> =
  {
    AL: { SRSO: '350-352 360 361 366' },
    AR: { SRMV: '720-722' },
    AZ: 'AZNM',
    CA: { CAMX: '900-921 923-934 936-959' },
    CO: 'RMPA',
    CT: 'NEWE',
    DC: 'RFCE',
    DE: 'RFCE',
    FL: { FRCC: '327-342 344 346 347 349' },
    GA: { SRSO: '300-303 311 314' },
    HI: { HIOA: '968' },
    IA: 'MROW',
    ID: 'NWPP',
    IL: { RFCW: '600-608', SRMW: '622-627' },
    KS: 'SPNO',
    KY: { SRTV: '402 405' },
    LA: { SRMV: '700 701 708' },
    MA: 'NEWE',
    MD: { RFCE: '206-212 214' },
    ME: 'NEWE',
    MI: { RFCM: '480-489' },
    MN: 'MROW',
    MO: { SRMW: '630 631', SPNO: '640 641' },
    MS: { SRMV: '390-392' },
    MT: { NWPP: '596-599' },
    NC: { SRVC: '270-286' },
    ND: 'MROW',
    NH: 'NEWE',
    NJ: 'RFCE',
    NM: { AZNM: '870-875' },
    NY: { NYCW: '100-104 111-114', NYLI: '117-119', NYUP: '120-149' },
    OH: { RFCW: '430-458' },
    OK: { SPSO: '730 731 740 741' },
    OR: 'NWPP',
    PA: { RFCE: '180-196', RFCW: '150-152' },
    PR: 'PRMS',
    RI: 'NEWE',
    SC: 'SRVC',
    TN: { SRTV: '370-375 377-385' },
    TX: { ERCT: '750-753 760 761 770 772-775 780-782 786 787' },
    UT: 'NWPP',
    VA: { SRVC: '220-223 230-238' },
    VT: 'NEWE',
    WA: 'NWPP',
    WI: { MROE: '530-532 534' },
    WV: 'RFCW',
  }

/**
 * Suggests the subregion for a US state ("CA") and a ZIP code ("95841", "95841-1203"); null if they don't determine it.
 * Only a suggestion: the utility decides.
 */
export function proposeGridRegion(place: {
  country: string | null
  region: string | null
  postalCode: string | null
}): GridRegion | null {
  if (place.country !== 'US') return null
  const state = (place.region ?? '').trim().toUpperCase()
  const found = Object.hasOwn(REGIONS_BY_STATE, state) ? REGIONS_BY_STATE[state] : undefined
  if (found === undefined) return null
  const zip = /^(\d{3})\d{2}(-\d{4})?$/.exec((place.postalCode ?? '').trim())?.[1]
  if (typeof found === 'string') return found
  if (zip === undefined) return null
  const fitting = GRID_REGION_CODES.filter((code) => covers(found[code] ?? '', Number(zip)))
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

/** Whether ranges such as "900-921 923" contain a number. */
function covers(ranges: string, zip: number): boolean {
  return ranges.split(' ').some((range) => {
    const [from = '', to = from] = range.split('-')
    return from !== '' && zip >= Number(from) && zip <= Number(to)
  })
}
