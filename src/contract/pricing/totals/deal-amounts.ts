import { ALSO_THOUSANDS, ANY, END, NO_UNIT, SMALL, START, TENS, THOUSANDS } from './number-shapes.ts'

/** Amounts of deals, loans, fees and services that are named by what is done with them. */

const PRICE = `(?:${THOUSANDS}|${ALSO_THOUSANDS}|[1-9]\\d{4,5})`
/** Hours of the day are lower. */
const FIXED = String.raw`(?:(?:1[3-9]|[2-9]\d)(?:\.\d\d)?\b|\d{3}(?:\.\d\d)?\b|${THOUSANDS})`

/** What others ask, and what we do. */
const COMPARED = [
  String.raw`\b(?:KBB|NADA|Kelley(?: Blue Book)?|Edmunds|Black ?Book|bid|tag)(?: (?:value|price|says?|reads?|is|of|at))*:? ${PRICE}${NO_UNIT}`,
  String.raw`${START}${PRICE}${END} (?:elsewhere|across town|anywhere else|down the (?:road|street))\b`,
  String.raw`\b(?:dropped|brought|cut|lowered|reduced|slashed|marked)\b[^.!?;\n\d#]{1,30} to ${PRICE}\b`,
  String.raw`${START}${PRICE}${END},? and (?:it(?:[’']s| is) (?:yours|sold|done)|we have a deal|drive it)\b`,
  String.raw`\b(?:make it|bring|we ask|we want|they want) ${PRICE}${NO_UNIT}`,
  String.raw`${START}${PRICE}${END} (?:or|and) (?:less|under|below) (?:lot|corner|row|section|specials?|cars|trucks|vehicles)\b`,
  String.raw`\b(?:\d{1,3}|${TENS}) thousand and change\b`,
]
/** Loans and leases. */
const PAID = [
  String.raw`\b(?:bi-?weekly|weekly|monthly)(?: payments?)?(?: (?:from|at|of|only|just|starting))*(?: |: ?)${SMALL}${NO_UNIT}`,
  String.raw`\bpayments?(?: (?:could|can|may|might|would|will|that|which|starts?|begins?|be|is|are|of|from|at|as|low|around|about|under|near|just|only)){1,5} (?:${THOUSANDS}|${SMALL})${NO_UNIT}`,
  String.raw`\blease:? [\d#]{2}\/[\d#]{1,2}k?(?: ?[:@,–-] ?| (?:for|at) | )${SMALL}${NO_UNIT}`,
  // "299/36"; tires are "275/65".
  String.raw`${START}\d{3}\/(?:24|27|36|39|42|48|72|84)\b(?![\d/.,]\d)${NO_UNIT}`,
  String.raw`${START}(?:${THOUSANDS}|\d{1,2}\.\d{3}|\d{3,5})${END} (?:DAS\b|cash down\b)`,
  String.raw`\b(?:hold|reserve) (?:it|yours|one) (?:with|for) \d{2,4}${NO_UNIT}|${START}\d{2,4} refundable\b`,
]
/** Fees, and services that aren't named elsewhere. */
const FIXED_PRICES = [
  String.raw`\b(?:doc(?:umentation)?|documentary|registration|title|delivery|shipping|freight|destination)(?: and \w+)?(?: (?:charges?|fees?|costs?))?(?::| (?:is|for|from|only|just))?(?: only| just)? (?:\d{3}|${THOUSANDS})${NO_UNIT}`,
  String.raw`\b(?:doc(?:umentation)?|documentary) (?:charges?|costs?):? (?:of |is )?${SMALL}${NO_UNIT}`,
  String.raw`\b(?:detailing|alignments?|repairs?|rotations?|flush(?:es)?|tint(?:ing)?|inspections?|pads|tires|batter(?:y|ies)|oil changes?|brakes)(?:,? (?:installed|mounted|balanced|done))?(?:,? (?:starts?|begins?|starting|runs?|only|just|from))*(?::| (?:at|for|from)) ${FIXED}${NO_UNIT}`,
]
/** What the buyer gets. */
const GIVEN = [
  String.raw`\b(?:(?:holiday|spring|summer|fall|winter|loyalty|customer|bonus|military|college|graduate|trade|event) )cash(?: of|:)? (?:${THOUSANDS}|\d{3})${NO_UNIT}`,
  String.raw`${START}${ANY} (?:to|towards?) your (?:trade|down payment|purchase|deal|next)\b`,
  String.raw`\bpocket (?:up to )?${ANY}${NO_UNIT}`,
  String.raw`\b(?:trade(?:-in)?|loyalty|lease|finance|cash) bonus(?: of|:)? (?:${THOUSANDS}|\d{3})${NO_UNIT}`,
  String.raw`\b(?:get|earn|save|worth) (?:up to )?${THOUSANDS} more\b(?! [a-z]+s\b)|${START}${THOUSANDS}${END} less than\b`,
  String.raw`${START}\d{2,3} (?:gas|gift|dollar) cards?\b`,
]

const SPANISH_THOUSANDS = String.raw`\d{1,3}[., ]\d{3}(?![\d%]|[.,]\d)`
const SPANISH_NUMBER = String.raw`(?:${SPANISH_THOUSANDS}|\d{3}(?![\d%]|[.,]\d))`
/** Not "desde 300 millas", "desde 1995". */
const SPANISH_UNIT = String.raw`\s?(?:a[nñ]os|millas|mi\b|km|kil|clientes|personas|familias|autos|carros|coches|camionetas|camiones|veh|unidades|minutos|horas|d[ií]as|puntos|libras|opiniones|por ciento)`
const SPANISH_PRICE = String.raw`${SPANISH_NUMBER}(?!${SPANISH_UNIT}| de\b)`
const SPANISH_LARGE = String.raw`(?:${SPANISH_THOUSANDS}|\d{2,3} mil\b)(?!${SPANISH_UNIT}| de (?!enganche|descuento))`
const SPANISH = [
  String.raw`\b(?:ahorr[aeo]s?|enganche|pagos?(?: (?:inicial|mensual)(?:es)?)?|mensualidad(?:es)?|descuento|bono|precio(?: [a-z]{4,12})?|cuesta|baja|baj[oó]|a partir|por s[oó]lo|desde)(?:(?: (?:de|a|hasta|por|solo|sólo|en))|:){0,2} ${SPANISH_PRICE}`,
  String.raw`\b(?:antes|ahora|oferta|vale|est[aá]n? en|rebajad[oa]s? (?:a|en)|(?:en|por|a)(?= \d\d)|menos de|recib[ea]n?|damos)(?: (?:hasta|s[oó]lo))?:? ${SPANISH_LARGE}(?=\s*(?:$|[\n.;:!?)]|,(?!\d)|(?:por|más|m[aá]s|en|de|con|y|hasta|hoy|este|esta|menos)\b))`,
  String.raw`${START}${SPANISH_NUMBER} (?:de (?:enganche|descuento|bono|ahorro|regalo|cr[eé]dito)|(?:por|al|cada) (?:mes|semana|quincena)|m[aá]s por (?:su|tu))(?![\p{L}])`,
]
/** "treinta mil dólares". */
export const SPANISH_WORDS = String.raw`(?<![\p{L}])(?:(?:\p{L}{2,12}(?: y \p{L}{3,7})?|\d{1,3}) )?(?:mil|cien|cincuenta|quinientos|\p{L}{2,7}cientos) (?:\p{L}{4,14} )?(?:d[oó]lares|pesos)(?!\p{L})`

/** In a text without what is counted. */
export const DEAL_AMOUNTS = [...COMPARED, ...PAID, ...FIXED_PRICES, ...GIVEN, ...SPANISH]
/** What is taken off: allowed for services. */
export const DEAL_OFF_AMOUNTS = [
  String.raw`\b(?:knock(?:ed)?|shav(?:e|ed)|chop(?:ped)?|took|take|slash(?:ed)?|cut|trim(?:med)?) (?:up to |another |an extra )?${ANY} off\b(?!-)`,
  String.raw`\ba (?:thousand|hundred) off\b(?!-)`,
]
