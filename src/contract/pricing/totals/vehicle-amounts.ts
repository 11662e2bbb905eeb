import { END, NO_UNIT, START, THOUSANDS } from './number-shapes.ts'

/**
 * Prices beside a vehicle: "2023 Ford Escape SE - 19,400". A number with a thousands separator, or of five digits, is one if
 * it follows a vehicle and nothing says what it counts.
 */

const MAKES = [
  'Acura|Audi|BMW|Buick|Cadillac|Chev(?:y|rolet)|Chrysler|Dodge|Fiat|Ford|Genesis|GMC|Honda|Hyundai|Infiniti|Jaguar|Jeep|Kia',
  'Land Rover|Lexus|Lincoln|Mazda|Mercedes(?:-Benz)?|Mini|Mitsubishi|Nissan|Polestar|Porsche|Ram|Rivian|Subaru|Tesla|Toyota|Volkswagen|VW|Volvo',
].join('|')
/** With a capital, so that "escape" and "explorer" in a sentence are words. */
const MODELS = [
  // Ford and Lincoln.
  'F-?[1-6#][5#][0#]|Bronco(?: Sport)?|EcoSport|Edge|Escape|Expedition|Explorer|Fiesta|Focus|Fusion|Lariat|Maverick|Mustang(?: Mach-E)?|Ranger|Taurus|Transit(?: Connect)?|Aviator|Corsair|Nautilus|Navigator',
  // General Motors.
  'Blazer|Bolt|Camaro|Colorado|Corvette|Cruze|Equinox|Impala|Malibu|Silverado|Suburban|Tahoe|Trailblazer|Traverse|Trax|Acadia|Canyon|Sierra|Terrain|Yukon|Enclave|Encore|Envision|Escalade',
  // Stellantis.
  'Challenger|Charger|Durango|Pacifica|Cherokee|Compass|Gladiator|Renegade|Wagoneer|Wrangler',
  // Toyota, Honda, Nissan, Mazda and Subaru.
  '4Runner|Avalon|Camry|Corolla|Highlander|Prius|RAV4|Sequoia|Sienna|Tacoma|Tundra|Venza|Accord|Civic|CR-?V|HR-?V|Odyssey|Passport|Pilot|Ridgeline|Altima|Armada|Frontier|Kicks|Leaf|Maxima|Murano|Pathfinder|Rogue|Sentra|Titan|Versa|CX-?[3-9]0?|Miata|Ascent|Crosstrek|Forester|Impreza|Outback|WRX',
  // Hyundai, Kia, Volkswagen and Tesla.
  'Elantra|Ioniq|Kona|Palisade|Santa (?:Cruz|Fe)|Sonata|Tucson|Forte|Niro|Seltos|Sorento|Soul|Sportage|Telluride|Atlas|Golf|Jetta|Passat|Taos|Tiguan|Model [3SXY]|Cybertruck',
].join('|')
const NAME = String.raw`\b(?:${MAKES}|${MODELS})\b`
const YEAR = String.raw`\b(?:19[5-9]|20[0-4])\d`
const TRIM = String.raw`(?: (?:[A-Z][\w-]*|\d\.\dL?|#{3,4})){0,4}`
/** "2023 Ford Escape SE", "Escape SE", "#FU10363". */
const MODEL = String.raw`(?:${YEAR} [A-Z][\w#-]*|\b(?:${MODELS})\b)${TRIM}`
const STOCK_NUMBER = String.raw`#?\b[A-Z]{1,3}\d{4,6}\b`
const VEHICLE = String.raw`(?:${MODEL}|${NAME}${TRIM}|${STOCK_NUMBER})`
const PRICE = String.raw`(?:${THOUSANDS}|[1-9]\d{4,5}|\d{2,3}(?:\.\d)?[kK]\b)`
/** What is said of it in between: "41,000 miles", with its digits hidden. */
const MILEAGE = String.raw`(?:,? [\d#,]{3,7} ?(?:miles|mi)\b)?`
const MARK = String.raw`(?: ?[:,|\/•·(=>–—-]{1,2} ?| ?(?:\.{2,}|…) ?| )`
const OF = String.raw`(?:this|that|the|a|an|our|any|your|one)`

export const VEHICLE_AMOUNT = new RegExp(
  [
    // "F-150 XLT 38,500", "2021 F-150, 41,000 miles, 32,500", "#FU10363 / 38,500".
    String.raw`${VEHICLE}${MILEAGE}${MARK}${PRICE}${NO_UNIT}`,
    // A heading above its price.
    String.raw`${MODEL}\n${PRICE}${END}(?=\s*(?:$|[.!]))`,
    // "Grab the Maverick before Sunday: 23,450".
    String.raw`${NAME}[^.!?;\n\d#]{1,40}[:–—]\s?${PRICE}${NO_UNIT}`,
    // "23,450 for this Maverick", "19,400 • 2023 Escape".
    String.raw`${START}${PRICE}${END} for ${OF} (?:[\w-]+ ){0,2}${VEHICLE}`,
    String.raw`${START}${PRICE}${END} ?[•·|:\/–—-] ?(?:${MODEL}|${STOCK_NUMBER})`,
  ].join('|'),
  'gu',
)

const NAMED_VEHICLE = new RegExp(`${MODEL}|${STOCK_NUMBER}|${NAME}(?= *$)`, 'u')
/** What is done to a vehicle, or put into it. */
const SERVICE =
  /\b(?:services?|oil|change|brakes?|tires?|wheels?|wash|detail(?:s|ing)?|inspections?|alignment|batter(?:y|ies)|wipers?|filters?|parts?|accessor(?:y|ies)|rentals?|repairs?|maintenance|mats|covers?|liners?|tint(?:ing)?|check(?:up)?s?|diagnos(?:is|tics)|charg(?:er|ing)|hitch|racks?|steps?|lights?|rotation|glass|warranty|plans?)\b/iu

/** Whether a text names a vehicle for sale: "2024 F-150 XLT", but not "Oil change for your F-150". */
export const isVehicleName = (text: string): boolean => NAMED_VEHICLE.test(text) && !SERVICE.test(text)
