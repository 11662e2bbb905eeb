/** Numbers in advertising texts that are no money: what they measure, count or name. English only. */

/** "30,000", "2.5", "98k". */
const NUMBER = String.raw`(?<![\d.,])\d+(?:,\d{3})*(?:\.\d+)?k?(?![\d%]|[.,]\d)`
/** "30,000, 60,000 and 90,000", "15 to 22". */
const NUMBERS = String.raw`${NUMBER}(?:(?:,? (?:to|and|or|through|by) |, ?| ?[\/–-] ?)${NUMBER}){0,5}`

const UNITS = [
  // Ways and speeds.
  'miles?|mi|kilomet(?:er|re)s?|kms?|mpg|mph',
  // Weights, sizes and volumes.
  'pounds?|lbs?|tons?|kg|grams?|g|inch(?:es)?|feet|foot|ft|yards?|mm|cm|acres?|square|sq|cubic|cu|gallons?|quarts?|lit(?:er|re)s?',
  // Engines and batteries.
  'hp|horsepower|rpm|lb-ft|nm|cc|kwh?|watts?|volts?|amps?|degrees',
  // Time.
  'seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|yrs?',
  // People, things and marks.
  'people|percent|stars?|points?|seats?|passengers?|reviews?|customers|vehicles?|cars|trucks|units|spaces|APR',
].join('|')

/** "20 in", but not "20 in rebates" or "3,500 in cash". */
const INCHES = String.raw`(?<![\d,.])\d{1,3}(?:\.\d+)? in\b(?! (?:[\w-]+ )?(?:rebates?|savings|cash|discounts?|fees)\b)`
/** Words after a number that say what it counts. */
const WITH_UNIT = String.raw`${NUMBERS}[ -]?(?:original |highway |city |square |more |full )?(?:(?:${UNITS})(?!\w)|["”](?=\s\w))|${INCHES}`
const COUNTED_AFTER = String.raw`${NUMBERS},? (?:(?:are|were|have been|was|is) )?(?:sold|made|built|produced|served|delivered|and counting|since|strong|on (?:it|the (?:clock|odometer|dash)))\b`
/** "10 year/100K". */
const WARRANTY = String.raw`\d{1,2}[ -](?:year|yr)s?(?: ?\/ ?| )\d{2,3}k`

const LINK = String.raw`(?:[:=(–-]| |\b(?:of|is|at|up|to|about|around|over|rated|rating|capacity|reads?|reading|number|was|now|than|more|weight|max|maximum)\b){0,6}`
/** What is measured: "odometer: 41,870", "tows up to 5,000", "a score of 650". */
const MEASURES = [
  'mileage|(?:miles|hours)(?= ?[:=(–-])|engine hours|odometer|odo|drives? like|driven',
  'tow(?:s|ing)?|pulls?|hauls?|payload|G[VC]WR?|weighs?|weight|capacity|rat(?:ed|ing)',
  'range|redline|torque|ratio|wheelbase|length|width|height|clearance|depth|volume|circle|bore|stroke|(?:leg|head|shoulder|hip)[ -]?room',
  'scores?|version|android|exit|extension|ext|page|row|stock|no|elevation|population|spaces',
].join('|')
/** What was counted: "we sold over 12,000", "one of 1,995". */
const COUNTING =
  'sells?|sold|services?|washes|hosts?|served|helped|delivered|built|made|donated|planted|collected|raised|counted|limited(?: run)?|\\b(?:one|1|number \\d+)'
const SOME = String.raw`(?::| (?:over|about|around|more than|almost|nearly|exactly|some|another|to|of|up to|a total of)){0,2}`

/** Services and parts that are due by mileage. */
const SERVICES = [
  'serviced?|services|maintenance|scheduled|inspections?|inspected|tune-?ups?|intervals?',
  'oil(?: changes?)?|fluids?|coolant|filters?|brakes?|pads|rotors|tires?|spark plugs?|belts?|pumps?|batter(?:y|ies)|transmission',
  'next|rotat(?:e|ed|ion)|replaced?|changed?|checked|flushed|done|performed|installed|worn',
].join('|')
const MILEAGE = String.raw`(?:\d{1,3},[05]00|\d{2,3}k)(?![\d%]|[.,]\d)`
const MILEAGES = String.raw`${MILEAGE}(?:(?:,? (?:to|and|or) |, ?| ?[\/–-] ?)${MILEAGE}){0,5}`

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?(?![\d%]|[.,]\d)`
/** Models whose name ends with a number. */
const MODELS =
  'Ram|Silverado|Sierra|Sprinter|Transit|ProMaster|Express|Savana|Chrysler|Dodge|Challenger|Charger|Mustang|Fiat|Porsche|Ferrari|BMW|Audi|Volvo|Nissan|Mercedes(?:-Benz)?|Lexus|Infiniti|Peugeot|Polestar|Mazda|Model|[A-Z]-Class|GL[ABCES]|CL[AS]|ES|RX|NX|GX|LX|IS|LS|UX|TX'

/** Plurals with a price after them. */
const PRICED =
  'bonus|prices|costs|fees|savings|rebates|discounts|payments|specials|deals|taxes|cars|trucks|suvs|vans|sedans|tires|brakes|plus|was|less'

const COUNTED = [
  // "https://example.com/24990", "sales24@example.com".
  String.raw`\b(?:https?:\/\/|www\.)\S{1,400}|\b[\w.+-]{1,64}@\S{1,200}`,
  // "(916) 555-0100", "555-0100".
  String.raw`\(?\b\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}\b|\b\d{3}-\d{4}\b`,
  // "12.12.2026", "2026-12-31", "11/30", "December 12, 2026", "Nov 28 to 30", "12 December".
  String.raw`\b\d{1,2}[.\/]\d{1,2}[.\/](?:\d{4}|\d\d)\b|\b\d{4}-\d\d-\d\d\b|(?<![\d,.])\d{1,2}\/\d{1,2}\b(?!,\d)`,
  String.raw`\b${MONTH}\.? ${DAY}(?:(?: ?[–-] ?| (?:to|and|through) )${DAY})?(?:,? 20\d\d\b)?|(?<![\d.,])${DAY} ${MONTH}\b`,
  // "9-7", "from 9 to 5", "7:30 to 18:00", "8 AM", "9.30 a.m."
  String.raw`(?<![\d.,$-])\d{1,2}(?::\d\d)?(?: ?[–-] ?| to )\d{1,2}(?::\d\d)?(?![\dk%]|[.,]\d)`,
  String.raw`(?<![\d.,])\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m\b|(?<![\d.,])\d{1,2}:\d\d\b`,
  // "12.50%", "4.85 of 5", "1500, 2500 and 3500".
  String.raw`(?<![\d.,])\d+(?:[.,]\d+)? ?%|(?<![\d.,])\d+(?:[.,]\d+)? (?:of|out of) \d+\b(?![.,]\d)`,
  String.raw`\b[1-6]500(?:HD|s)?(?:(?:,? (?:to|and|or|through) |, ?| ?[\/–-] ?)[1-6]500\b)+`,
  WARRANTY,
  WITH_UNIT,
  COUNTED_AFTER,
  String.raw`\b(?:${MEASURES})\b${LINK}${NUMBERS}`,
  String.raw`\b(?:${COUNTING})${SOME} ${NUMBER}`,
  String.raw`\b(?:${SERVICES})\b[^.!?;\d$\n]{0,25}(?:\b(?:at|by|every|before|after|around|until)|:) ?${MILEAGES}`,
  String.raw`\bevery ${NUMBERS}`,
  // "Trees planted: 5,250", "Reviews: 2,915".
  String.raw`\b(?!(?:${PRICED})\b)[a-z]{3,20}s ?: ?\d{1,3},\d{3}(?![\d%]|[.,]\d)`,
]
const PATTERNS = [
  ...COUNTED.map((pattern) => new RegExp(pattern, 'giu')),
  new RegExp(String.raw`\b(?:${MODELS})s? (?:GT ?)?\d{2,4}(?![\d,.]\d)\b`, 'gu'),
]

/** A text in which the digits of all numbers that are no money are "#". As long as before. */
export const hideCounted = (text: string): string =>
  PATTERNS.reduce(
    (hidden, pattern) => hidden.replaceAll(pattern, (found) => found.replaceAll(/\d/g, '#')),
    text,
  )
