import { METERS } from './meter-words.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { isVagueUnit, readUnit, type ReadUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'

/** What the heading of a column says that it contains. Only some of them can be imported. */
export type ColumnRole =
  | 'facility'
  | 'source'
  | 'periodStart'
  | 'periodEnd'
  /** A month, or a range of days in one cell. */
  | 'period'
  | 'readDate'
  /** A date of a bill: printed, due, paid. */
  | 'billDate'
  | 'date'
  /** The one day of a delivery, a purchase or a trip. */
  | 'deliveryDate'
  | 'year'
  | 'time'
  | 'timeEnd'
  | 'use'
  /** "Amount" may be money or a quantity. */
  | 'amount'
  | 'unit'
  | 'calorificBasis'
  | 'meterFrom'
  | 'meterTo'
  | 'multiplier'
  | 'cost'
  /** "USD" in a column of its own. */
  | 'currency'
  /** Money that isn't the cost of the bill: a price or a rate. */
  | 'price'
  | 'priceYear'
  | 'factor'
  | 'quality'
  | 'reference'
  | 'comment'
  | 'identifier'
  | 'days'
  /** Power, not energy. */
  | 'demand'
  /** Energy that was produced or sent back. */
  | 'generation'
  /** A figure about something else: last year, an average, an area, a temperature. */
  | 'other'

/**
 * A heading in plain letters: "Quantité (kWh)" is "quantite kwh". The same for "Start_Date", "START DATE:" and "startDate".
 */
export const plainHeading = (title: string): string =>
  title
    // The registers of meters: +A is what was used, -A what was sent back. "A - B" is neither.
    .replaceAll(/(?<![\p{L}\p{N}])[-−–]\s?A(?![\p{L}\p{N}])/gu, ' export ')
    .replaceAll(/(?<=[\s(])[-−–](?=\s*(\)|$))/gu, ' minus ')
    // But not "kWh".
    .replaceAll(/(?<=\p{L}\p{Ll})(\p{Lu}\p{Ll})/gu, ' $1')
    // "N° facture", "Nº albarán".
    .replaceAll(/(?<!\p{L})n\.? ?[°º]|^n\.(?= ?\p{L})/giu, ' no ')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('#', ' no ')
    .replaceAll('№', ' no ')
    .replaceAll(/[^\p{L}\p{N}$€£%]+/gu, ' ')
    .trim()

/** "Ticket", "Transaction ID", "N° BL", "Load #", "Slip No": what numbers a delivery if no bill does. @param plain a plain heading */
export const isDeliveryNumber = (plain: string): boolean => {
  const subject = plain.replaceAll(NUMBERING, ' ').trim().replaceAll(/ +/g, ' ')
  if (WHO_OR_WHERE.test(subject)) return false
  return DELIVERY.test(subject) || (subject !== '' && subject !== plain && NUMBERED.test(subject))
}

const word = (words: string): RegExp => new RegExp(`(^| )(${words})( |$)`)
const whole = (words: string): RegExp => new RegExp(`^(${words})$`)

const START =
  'from|start|starts|starting|begin|begins|beginning|since|opening|von|ab|anfang|beginn|debut|du|depuis|desde|inicio|inicial|dal|da|dalla|inizio|van|vanaf|fra|fran|od|de|previous|prior|vorherige[rs]?|precedente?|anterior'
const END =
  'tot en met|t m|to|end|ends|ending|until|thru|through|till|closing|bis|ende|fin|final|au|jusqu|hasta|al|alla|fine|tot|einde|til|do|(?<= )ate|current|present|aktuelle[rs]?|actuel|actual'
const DATE = 'date|dates|datum|fecha|data|dato|day|tag|jour|dia|giorno|dag'
const OF = '(?: (?:de|du|of|di|der|des|d))?'
const NUMBER = 'id|ids|no|nr|num|number|numbers|nummer|numero|numer|code|kennung|identifier|key|ref'
/** At the start or the end of a heading. */
const NUMBERING = new RegExp(
  `^(${NUMBER})( de| du| of| di| del| della| da| do| la| der| van| d)* |( |(?<=[a-z]{3}))(${NUMBER})$`,
  'g',
)
/** Papers that are numbered, and what a delivery is called by. */
const DELIVERY =
  /^((delivery|fuel|sales|pump|weigh|weight|weighbridge|scale|load|service|work|conveyance|consignment|transfer|disposal|purchase|transport|delivered|waste) )?(tickets?|tkt|receipts?|dockets?|vouchers?|slips?|manifests?|confirmations?|transactions?|trans|tran|trx|txn|orders?|bol|bills? of lading|waybills?|cmr|consignments?|ls|quittungs?|transaktions?|vorgangs?|bordereau|bl|albaran|recibo|operacion|comprobante|vale|guia|folio|remision|transactie|operatie|bolla|bolla di consegna|ddt|scontrino|formulario|nota fiscal|guia de remessa|talao|wz|paragon|paragonu|foljesedel|kvitto|begeleidingsbrief|piece)$|^(\w*(schein|beleg|auftrags?|bon))( de livraison)?$|^(delivery|conveyance|consignment|transfer|waste transfer|weighbridge) notes?$/
/** Only with a word for numbers beside them. */
const NUMBERED =
  /^(delivery|load|job|stop|pickup|pick up|po|purchase order|haul|trip|shipment|dispatch|batch|service|sale|case|booking|release|fill|refill|drop|visit|control|check|livraison|commande|entrega|pedido|consegna|ordine|levering|leverans|lieferungs?|liefer|expedition|envio|delivered|collection|swap|exchange|dostawy|zamowienia)$/
const WHO_OR_WHERE =
  /(^| )(account|acct|card|vehicle|driver|customer|client|meter|site|station|truck|tank|unit|route|supplier|vendor|date|time|type|status)( |$)/
const READING =
  'reading|readings|read|reads|index|indice|zahlerstand|stand|leitura|leituras|ablesung|releve|lectura|lettura|meterstand|avlasning|malarstallning'
const READ_DATE =
  'read(ing)? date|meter read|date read|date of read(ing)?|read on|ablesedatum|ablesetag|ablesung am|date (de|du) releve|fecha de lectura|data (di )?lettura|opnamedatum|avlasningsdatum|read day'
const MONEY =
  'cost|costs|charge|charges|dollar|dollars|usd|eur|gbp|fee|fees|tax|taxes|vat|mwst|ust|tva|iva|btw|moms|due|payable|payment|paid|balance|invoiced|kosten|gesamtkosten|betrag|gesamtbetrag|rechnungsbetrag|netto|brutto|cout|couts|montant|ttc|importe|coste|costo|costi|importo|bedrag|totaalbedrag|kostnad|belopp|belob|kwota|koszt|a pagar|zu zahlen|a payer|te betalen|da pagare|zahlbetrag|[$]|€|£'

const USE_WORDS = word(
  'usage|use|used|consumption|consumed|quantity|qty|volume|delivered|billed|supplied|purchased|import|imported|menge|verbrauch|energieverbrauch|stromverbrauch|gasverbrauch|energiemenge|bezug|consommation|conso|consomme|consommee|quantite|energie active|consumo|cantidad|quantita|verbruik|hoeveelheid|forbrukning|forbruk|forbrug|kulutus|zuzycie|gallons|liters|litres|units used|units consumed|withdrawal|tonnage|weight|gewicht|poids|peso',
)
const USE_ENDS = /verbrauch( |$)|menge( |$)/

/** The first that matches decides, so special headings come before general ones. */
const ROLES: readonly (readonly [RegExp, ColumnRole])[] = [
  // Days of something else than the bill: a contract, a lease, the reading that comes next.
  [
    /^(?!.*(read|number|no|id|account)).*(^| )(contract|lease|agreement|vertrag\w*|contrat|contrato|contratto) .*(start|end|begin|from|to|date|beginn|ende|debut|fin|inicio|inizio|fine)( |$)/,
    'other',
  ],
  [/(^| )(next|scheduled|nachste\w*|prochaine?|proxim[ao]|prossim[ao]|volgende)( |$)/, 'other'],
  // What was ordered, and what a system holds.
  [
    word(
      'ordered|order quantity|bestellt|bestellte|bestellmenge|commandee?s?|pedid[ao]|ordinat[ao]|besteld|capacity|nameplate|full charge|factory charge|fullmenge|nennfullmenge|kaltemittelmenge|fassungsvermogen|capacite|capacidad|capacita',
    ),
    'other',
  ],
  [
    word(
      'eigenverbrauch|self ?consumption|self consumed|autoconsumo|autoconsommation|autoconsommee?|energia inje[ct]+ada|inyectada|excedentes?|kwh credits?|credits? kwh',
    ),
    'generation',
  ],
  [word('(weight|weigh|weighbridge|scale) tickets?'), 'identifier'],
  [whole('price year|year of (the )?prices'), 'priceYear'],
  [whole('factor|emission factor|factor id|factor name|ef'), 'factor'],
  [whole('(data )?quality( score)?|dq'), 'quality'],
  [
    whole('(billing |invoice )?(currency|ccy)( code)?|wahrung|devise|monnaie|moneda|divisa|valuta|waluta'),
    'currency',
  ],
  [word('calorific|heating value|brennwert|cv|heizwert|pouvoir calorifique'), 'calorificBasis'],
  [word('co2|co2e|carbon|emissions?|ghg'), 'other'],
  [
    /(^| )(cost|charge) (center|centre|code|object|element|type|time|duration|category)( |$)|centre de couts?|centro di costo|centro de costes?|kostenstelle|kostenart|kostentrager/,
    'other',
  ],
  [
    word(
      'multiplier|multiplicador|moltiplicatore|multiplikator|meter constant|meter factor|ct ratio|wandlerfaktor|zahlerfaktor|umrechnungsfaktor|coefficient|multiplication factor|konstante',
    ),
    'multiplier',
  ],
  [
    word(`(previous|last|prior|start|current|end|present)? ?(meter )?read(ing)? (type|code|method|status)`),
    'other',
  ],
  [
    new RegExp(`(^| )(previous|prior|vorherige\\w*|anterior|precedente?|letzte\\w*) .*(${DATE})( |$)`),
    'periodStart',
  ],
  [new RegExp(`(^| )(current|present|aktuelle\\w*|actual|actuel|attuale) .*(${DATE})( |$)`), 'periodEnd'],
  // "Ablesedatum alt", "Read date (new)".
  [
    new RegExp(
      `^(?=.*(^| )(${READ_DATE})( |$)).*(^| )(alt|alter|altes|old|ancien|anterior|start|letztes?)( |$)`,
    ),
    'periodStart',
  ],
  [
    new RegExp(
      `^(?=.*(^| )(${READ_DATE})( |$)).*(^| )(neu|neuer|neues|new|nouveau|nouvelle|end|aktuell\\w*)( |$)`,
    ),
    'periodEnd',
  ],
  [word(READ_DATE), 'readDate'],
  [
    new RegExp(
      `(^| )(previous|prev|prior|start|begin|beginning|opening|old|first|anfang|anfangs\\w*|alter|alt|ancien|debut|anterior|precedente?|before|vorheriger?|begin\\w*)( .*)? ?(${READING})( |$)`,
    ),
    'meterFrom',
  ],
  [
    new RegExp(
      `(^| )(current|curr|cur|present|end|ending|closing|new|last|final|neuer|neu|nouveau|nouvel|fin|final|actual|attuale|after|aktueller?|endzahlerstand|endstand)( .*)? ?(${READING})( |$)`,
    ),
    'meterTo',
  ],
  [new RegExp(`(^| )(${READING}|meter) (before|start|anfang|alt|debut|begin)( |$)`), 'meterFrom'],
  [new RegExp(`(^| )(${READING}|meter) (after|end|ende|neu|fin|einde)( |$)`), 'meterTo'],
  // One reading a line: the use is what was added since the line before.
  [
    new RegExp(
      `^(meter |zahler)?(${READING})( value)?( in)?( (kwh|mwh|m3|ft3|therms?|ccf|mcf|gj|mj|gal|gallons?|l|liters?|litres?|units?))?$`,
    ),
    'meterTo',
  ],
  [whole('anfangsstand|anfangszahlerstand|zahlerstand alt|index debut|beginstand'), 'meterFrom'],
  [whole('endstand|endzahlerstand|zahlerstand neu|index fin|eindstand'), 'meterTo'],
  [
    new RegExp(
      `^(bill|billing|invoice|statement|service|period|usage|read|meter|interval|consumption|supply|${DATE}|abrechnungs?|liefer|periode?|zeitraum|periodo)?( ?(period|${DATE}))?${OF} ?(${START})( ?(${DATE}|date ?time|time ?stamp|period|periode|periodo|zeitraum|billing|service|of period|(?:de |del |di )?(?:la )?(?:consommation|facturation|periode|periodo|consumo|facturacion)))*$`,
    ),
    'periodStart',
  ],
  [
    new RegExp(
      `^(bill|billing|invoice|statement|service|period|usage|read|meter|interval|consumption|supply|${DATE}|abrechnungs?|liefer|periode?|zeitraum|periodo)?( ?(period|${DATE}))?${OF} ?(${END})( ?(${DATE}|date ?time|time ?stamp|period|periode|periodo|zeitraum|billing|service|of period|(?:de |del |di )?(?:la )?(?:consommation|facturation|periode|periodo|consumo|facturacion)))*$`,
    ),
    'periodEnd',
  ],
  [
    word('(start|begin|from|interval start) (time|hour)|uhrzeit von|heure debut|hora inicio|ora inizio'),
    'time',
  ],
  [word('(end|to|interval end) (time|hour)|uhrzeit bis|heure fin|hora fin|ora fine'), 'timeEnd'],
  [
    whole(
      `days|(no|number|nr|anzahl|nombre) (of |de |der )?(billing )?(days|tage|jours|dias)|(billing|service|bill|usage) days|days in .*|.* days|tage|jours|dias|giorni|dagen`,
    ),
    'days',
  ],
  [
    new RegExp(
      `(^| )(bill|billing|invoice|statement|due|payment|issue|issued|posted|posting|print|rechnungs|falligkeits|facture|facturation|emission|vencimiento|pago|factura|emissione|scadenza) ?(${DATE})( |$)|^(rechnungsdatum|falligkeit|falligkeitsdatum|due by|date (?:de )?(?:la )?facture|fecha (?:de )?(?:la )?(?:factura|emision|facturacion)|data (?:de |di )?(?:emissao|emissione|fattura)|factuurdatum|fakturadatum|fakturadato)$|(^| )(vencimiento|vencimento|echeance|scadenza|vervaldatum|falligkeit)( |$)`,
    ),
    'billDate',
  ],
  [
    whole(
      '(billing |service |usage |bill |statement |reporting |calendar |supply |consumption |reading |read |meter |invoice |fiscal |accounting |delivery |electric |electricity |gas |water |fuel )?(month|period|cycle|date range|dates)|month (and )?year|year (and )?month|month ending|mes (y |e )?ano|ano (y |e )?mes|mese (e )?anno|anno (e )?mese|mois (et )?annee|annee (et )?mois|monat (und )?jahr|jahr (und )?monat|maand (en )?jaar|jaar (en )?maand|monat|abrechnungsmonat|zeitraum|abrechnungszeitraum|lieferzeitraum|periode|mois|periode de (facturation|consommation)|periodo( de facturacion| di fatturazione)?|mes|mes de referencia|referencia|mes de consumo|competencia|mese|mese di competenza|mois de (consommation|facturation)|maand|manad|maned|miesiac|quarter|quartal|trimestre',
    ),
    'period',
  ],
  [whole('(calendar |billing |usage )?(year|jahr|annee|ano|anno|jaar|ar|yr)'), 'year'],
  [
    whole(
      'time|hour|hours|hour ending|uhrzeit|zeit|heure|hora|ora|tijd|interval|klockslag|time of day|settlement period|half hour|halfhour|hour number|interval number|delivery hour|stunde',
    ),
    'time',
  ],
  [
    new RegExp(
      `^(transaction|delivery|delivered|purchase|fill|fuel|fueling|trip|travel|refill|liefer|tank|livraison|entrega|consegna) ?(${DATE})$|^(lieferdatum|tankdatum|delivered on)$`,
    ),
    'deliveryDate',
  ],
  [
    new RegExp(
      `^(date|datum|fecha|data|dato|day|tag|jour|dia|giorno|dag|date ?time|timestamp|time ?stamp|date (and )?time|datetime .*|reading time|read time|interval (date|time|datetime)|usage date|consumption date|settlement date|zeitstempel|horodate|date (et )?heure|datum (und )?uhrzeit|datum zeit|fecha (y )?hora|data (e )?ora|datum (en )?tijd)$`,
    ),
    'date',
  ],
  [
    new RegExp(
      `^(bill|billing|invoice|inv|statement|reference|document|doc|rechnungs?|facture|factura|fattura|factuur|faktura|beleg)s?( .*)? ?(${NUMBER})$`,
    ),
    'reference',
  ],
  [
    new RegExp(
      `^(${NUMBER})( de| du| of| di| del| della| da| do| la| der| van)* (bill|invoice|inv|reference|document|dokumentu|facture|factura|fattura|factuur|fatura|faktura|faktury)$`,
    ),
    'reference',
  ],
  [
    whole(
      'ref|reference|facture|factura|fattura|factuur|faktura|statement|rechnungsnummer|factuurnummer|fakturanummer|belegnummer|bill|invoice|document|doc|rechnung',
    ),
    'reference',
  ],
  [
    whole(
      '(usage |use |quantity |consumption |energy |volume )?(unit|units|uom|unit of measure(ment)?|unit type|units of measure|measure|einheit|mengeneinheit|unite|unites|unidad|unidades|unita( di misura)?|eenheid|enhet|enhed|jednostka)( of measure)?|meter units?|usage quantity units?',
    ),
    'unit',
  ],
  [
    new RegExp(
      `(^| )(price|prices|unit cost|unit charge|cost per .*|rate|rates|tariff|per kwh|per therm|per unit|preis|einzelpreis|arbeitspreis|tarif|prix|precio|tarifa|prezzo|tariffa|prijs|pris|cents?|ct)( |$)`,
    ),
    'price',
  ],
  [
    word(
      'kw|kva|kvar|kvarh|demand|peak load|load|leistung|spitzenleistung|puissance|potencia|potenza|power factor|load factor|effekt',
    ),
    'demand',
  ],
  [
    word(
      'generation|generated|export|exported|solar|pv|einspeisung|injection|injecte|received from customer|returned|feed in|sent to grid|surplus|delivered to grid|excedente|immessa|teruglevering',
    ),
    'generation',
  ],
  [/(^| )estimated (.* )?(cost|costs|charges?|amount)( |$)/, 'cost'],
  [
    word(
      'last year|previous year|prior year|year ago|vorjahr|annee precedente|average|avg|mean|durchschnitt|moyenne|promedio|media|per day|daily average|budget|budgeted|forecast|target|baseline|normalized|weather|benchmark|median|cumulative|cumulated|cumul|cumulee?|cumulat[oa]|cumulatief|acumulad[oa]|kumuliert|kumulativ|running|rolling|to date|seit jahresbeginn|last 12 months?|last twelve months?|12 months?|annualized|annualised|annual (usage|consumption|use)|eac|aq|jahresverbrauch|jahresmenge|consommation annuelle|consumo anual|consumo annuo|ytd|year to date|difference|change|variance|change from .*',
    ),
    'other',
  ],
  [
    word(
      'area|sq ft|sqft|square feet|square|floor|gfa|flache|surface|superficie|temperature|temp|degree|hdd|cdd|occupancy|occupants|headcount|employees|latitude|longitude|lat|lon|zip|postal|plz|postcode|phone|percent|%|score|rank|parking|rooms|beds|status|estimated|estimate|quality flag|flag|method|loss',
    ),
    'other',
  ],
  [
    new RegExp(
      `(^| )(account|acct|card|vehicle|car|fleet|driver|transaction|ticket|authorization|customer|client|karten?|fahrzeug|fahrer|carte|vehicule|${METERS}|contract|premise|premises|portfolio manager|service agreement|agreement|supplier|vendor|utility|kunden?|vertrags?|vertragskonto|compte|contrat|cliente|contrato|cuenta|contratto|klant|aansluiting|kund)( .*)? (${NUMBER})( |$)`,
    ),
    'identifier',
  ],
  [
    new RegExp(
      `^(?:(?:${NUMBER}|matricola)(?: de| du| of| di| del| della| da| do| la| der| van)* )?(?:${METERS})(?: ?(?:${NUMBER}))?$`,
    ),
    'identifier',
  ],
  [
    whole(
      'account|acct|card|vehicle|vehicle registration|registration|reg|reg no|licen[cs]e plate|plate|number plate|driver|odometer|kennzeichen|kartennummer|fahrzeug|immatriculation|matricula|kenteken|targa|meter name|meter channel|channel|register|obis|obis code|meter serial|serial|serial number|customer|kundennummer|vertragsnummer|vertragskonto|id|rate code|rate schedule|tariff code|phone|zip|service id|nummer|number|no|nr',
    ),
    'identifier',
  ],
  [
    new RegExp(
      `^(facility|site|building|property|location|store|rooftop|standort|filiale)( .*)? (${NUMBER})$`,
    ),
    'facility',
  ],
  [
    whole(
      'facility|site|facility code|site code|location|rooftop|building|store|standort|premises|premise|facility name|site name|property|property name|location name|building name|address|service address|site address|adresse|lieferstelle|direccion|indirizzo|emplacement|sitio|sede|filiale|betriebsstatte|plant|vestiging',
    ),
    'facility',
  ],
  [
    whole(
      'source|source type|fuel|fuel type|utility|utility type|commodity|energy type|energy carrier|energy|service|service type|service description|activity|type|meter type|energietrager|medium|sparte|energie|type d energie|tipo|tipo de energia|vector|energiedrager|usage type|product',
    ),
    'source',
  ],
  [
    whole(
      'comment|comments|note|notes|remark|remarks|bemerkung|bemerkungen|hinweis|commentaire|remarque|comentario|observaciones|nota|note aggiuntive|opmerking|anmarkning|description|reason|memo',
    ),
    'comment',
  ],
  // Hors taxes; but "Bezug HT" is a high tariff.
  [/^(?!.*(verbrauch|bezug|arbeit|menge|energie|conso|strom|kwh|mwh)).*(^| )ht( |$)/, 'cost'],
  [word(MONEY), 'cost'],
  [/^(facture|rechnung|factura|fattura) (courante?|actuelle?|aktuell\w*|corriente|actual|attuale)$/, 'cost'],
  [
    whole(
      '(net|gross)( (total|value|amount|sum))?|(bill|invoice|charged) (total|amount|sum)|total (electric |gas |water )?(bill|invoice)',
    ),
    'cost',
  ],
  [/kosten( |$)|betrag( |$)/, 'cost'],
  [whole('amount|amount billed|total amount|value|wert|valeur|valor|valore|billed amount|total'), 'amount'],
  [USE_WORDS, 'use'],
  [USE_ENDS, 'use'],
]

/** The role of a column by its heading; null if the heading doesn't say. A unit in parentheses outranks "amount" and "total". */
export function roleOf(title: string): ColumnRole | null {
  const plain = plainHeading(title)
  if (plain === '' || /^column \d+$/.test(plain)) return null
  if (/[$€£¢]\s*(\/|per )\s*\p{L}/iu.test(title)) return 'price'
  const found = ROLES.find(([is]) => is.test(plain))?.[1] ?? null
  return found
}

/** "Refrigerant charge", which is no money unless another word of the heading is. */
export const saysOnlyCharge = (plain: string): boolean =>
  /(^| )charges?( |$)/.test(plain) && !word(MONEY).test(plain.replaceAll(/(^| )charges?(?= |$)/g, ''))

/** How much of a period's use a column has: on-peak, off-peak, high tariff, tier 1. */
export const isPart = (title: string): boolean => PART_WORDS.test(plainHeading(title))
const PART_WORDS = word(
  'on peak|off peak|onpeak|offpeak|peak|mid peak|shoulder|partial peak|tier \\d|step \\d|block \\d|day|night|ht|nt|hp|hc|pointe|hph|hch|hpb|hcb|hpe|hce|heures pleines|heures creuses|p1|p2|p3|p4|p5|p6|tou \\d|piek|dal|f1|f2|f3|normal|low|high|summer|winter|hochtarif|niedertarif|punta|llano|valle|t1|t2|normaal|laag|hoog|hoogtarief|laagtarief|ponta|cheia|vazio|zone \\w',
)

export const isTotal = (title: string): boolean =>
  word('total|totals|gesamt|summe|totale|totaal|net|billed|all').test(plainHeading(title))

/** Dimensions in which energy and materials are billed. */
const BILLED: ReadonlySet<string> = new Set([
  'energy',
  'mass',
  'volume',
  'gas_volume_std',
  'distance',
  'vehicle_distance',
  'passenger_distance',
  'freight',
])

/** The unit, if energy or material is billed in it. */
export function billedUnit(units: UnitTable, text: string): ReadUnit | null {
  const read = text === '' ? null : readUnit(units, text)
  return read !== null && 'unit' in read && BILLED.has(read.unit.dimension) ? read : null
}

/**
 * The unit in a heading, as it is written there: "Usage (kWh)", "Billed kWh", "Consumption in therms", "kWh". Null: none. A price
 * per kWh has no unit of its own.
 */
export function unitInHeading(title: string, units: UnitTable): string | null {
  if (/\/|(^|[\s_])(per|pro|par|je)[\s_]/i.test(title)) return null
  const scaled = THOUSANDS.exec(title) ?? THOUSANDS_BEHIND.exec(title)
  if (scaled !== null) return multipleOf(scaled[1] ?? '', scaled[2] ?? '1000', units) ?? scaled[0].trim()
  // Which unit a million or a hundred thousand of another one is: asked.
  if (MILLIONS.test(title)) return title.trim()
  const inside = [...title.matchAll(/[([]([^()[\]]+)[)\]]/g)].map(([, text = '']) => text.trim())
  const outside = title
    .replaceAll(/[([][^()[\]]*[)\]]/g, ' ')
    .split(/[\s_,:;]+/)
    .filter((part) => part !== '')
  const pairs = outside.map((part, at) => `${part} ${outside[at + 1] ?? ''}`.trim())
  // One letter outside of parentheses is no unit either: "Meter L".
  const clear = [...inside, title.trim()].find((text) => billedUnit(units, text) !== null)
  // A "meter" among other words is a device.
  const isUnit = (text: string) => {
    const dimension = billedUnit(units, text)?.unit.dimension
    return dimension !== undefined && !dimension.includes('distance')
  }
  // "Gallons (UK)", "Weight in tons, metric": which gallon or ton it is.
  const kind = /(?<![\p{L}])(uk|imp|imperial|british|us|short|long|metric)(?![\p{L}$])/iu.exec(title)?.[1]
  const words = kind === undefined ? [] : title.split(/[^\p{L}\p{N}]+/u).map((part) => `${kind} ${part}`)
  const within = inside.flatMap((text) => {
    const parts = text.split(/\s+/)
    const own = parts.filter((part) => part.length > 1 && isUnit(part))
    // "m3 at 15 C" is no unit that is known, so its words are asked about.
    return own
      .slice(0, 1)
      .map((one) => (parts.every((part) => part === one || !/\d/.test(part)) ? one : text))
  })
  return (
    clear ??
    words.find(isUnit) ??
    [...pairs, ...outside.filter((part) => part.length > 1)].find(isUnit) ??
    within[0] ??
    [...inside, ...outside].find(isVagueUnit) ??
    null
  )
}

/** "Usage (1000 kWh)", "Verbrauch in Tsd. kWh". */
const THOUSANDS =
  /(?<!\d[.,'’]?)(?:x ?)?(?:\b1[.,\s']?000|\b000s?(?: of)?|\bthousand|\btsd\.?|\btausend|\bmilliers? d[e'])\s*(\p{L}[\p{L}\d]*)/iu

/** "kWh x 1000", "kWh (x1000)", "kWh '000", "ft3 x100". */
const THOUSANDS_BEHIND =
  /(\p{L}[\p{L}\d]*)\s*\(?\s*(?:[x×*] ?(10|100|1[.,\s']?000)\b|['’`]000s?|, ?0{3}s?|in thousands?|tsd\.?|0{3}s?(?=\)))\)?/iu

/** "Mio. kWh", "Consumption in lakh kWh". */
const MILLIONS =
  /(?<!\p{L})(mio|mln|millions?|millionen|millones|milh[oõ]es|milioni|miljoen|lakhs?|lacs?|crores?|billions?)(?!\p{L})/iu

/** What headings of quantities are made of, besides units and the names of energy. */
const PLAIN_WORDS = word(
  `${START}|${END}|${READING}|old|new|off|mid|partial|high|low|tariff|alte?r?|neue?r?|units?|the|of|in|for|a|to|from|at|by|and|or|on|your|my|this|month|months|monthly|daily|day|days|period|billing|bill|current|actual|adjusted|corrected|net|gross|total|totals|sum|all|metered|measured|energy|meter|metre|reading|read|value|amount|charged|main|site|building|account|profile|load|active|interval|measurement|per|each|estimated|estimate|fuel|water|gas|heat|steam|cooling|chilled|hot|cold|district|city|potable|waste|refrigerant|refilled|added|recovered|leaked|leakage|disposed|collected|purchases|quantities|dispensed|filled|fill|pumped|trip|trips|travel|travelled|traveled|distance|driven|business|private|column|\\d+|de|del|della|di|du|des|der|die|das|la|le|el|il|lo|pro|im|mois|mes|mese|monat|facturee?|facturada?|fatturat[oa]|abgerechnet|gemessen|total[ei]?|gesamt|summe|totaal|netto|brutto|wirk|active?|activa|attiva|en|y|et|und|e`,
)

/** Whether a heading is its unit and words that headings of quantities usually have: "kWh", "Total kWh", but not "Green kWh". */
export const saysOnlyUnit = (title: string, unit: string | null): boolean =>
  unit !== null && unitLike(title.replace(unit, ' ')) === ''

/** The words of a heading that may be a unit, because they are none that headings of quantities usually have; '' if there are none. */
export function unitLike(title: string): string {
  const vocabulary = [PLAIN_WORDS, USE_WORDS, PART_WORDS, ...CARRIERS.map(([is]) => is)]
  const strange = plainHeading(title)
    .split(' ')
    .filter((one) => one !== '' && !vocabulary.some((is) => is.test(one)) && !USE_ENDS.test(one))
  return strange.length === 0 ? '' : title.trim()
}

/** The unit that is 10, 100 or 1,000 times another one, as a code; null: unknown. Its words are asked about then. */
function multipleOf(name: string, times: string, units: UnitTable): string | null {
  const base = billedUnit(units, name)?.unit
  if (base === undefined) return null
  const size = new Figure(base.toBase).times(times.replaceAll(/\D/g, ''))
  const same = [...units.byCode.values()].find(
    (one) => one.dimension === base.dimension && size.equals(one.toBase),
  )
  return same?.code ?? null
}

/** What bills call the energy itself, with the start of the activities it is used for. */
const CARRIERS: readonly (readonly [RegExp, RegExp])[] = [
  [
    word(
      'elec|elect|electric|electricity|electrical|power|strom|electricite|electricidad|electrica|eletricidade|elektrizitat|luz|luce|elettrica|elettricita|elektriciteit|stroom',
    ),
    /^electricity/,
  ],
  [word('(?<!lp )gas|natural gas|erdgas|gaz|gas natural|gas naturale|aardgas|nat gas|ngas'), /natural-gas/],
  [word('diesel|gasoil|gas oil|gasolio|gazole|gasoleo|derv|ago'), /diesel|distillate/],
  [word('gasoline|petrol|benzin|essence|gasolina|benzina'), /gasoline|petrol/],
  [word('propane|lpg|lp gas|lp'), /propane|lpg/],
  [word('water|wasser|trinkwasser|frischwasser|eau|agua|acqua|irrigation|sprinkler'), /water/],
  [word('steam|heat|district heat|fernwarme|warme|warmte|dampf|chaleur|calor|calore'), /heat|steam/],
]

/** `own` if a heading names the energy of an activity, `other` if it names another one, null if it names none. */
export function carrierIn(title: string, activity: string): 'own' | 'other' | null {
  const plain = plainHeading(title)
  const named = CARRIERS.filter(([is]) => is.test(plain))
  if (named.length === 0) return null
  return named.some(([, of]) => of.test(activity)) ? 'own' : 'other'
}

/** What is sold beside the energy of a source, as fuel cards and suppliers call it, with the start of the activities it is used for. */
const PRODUCTS: readonly (readonly [RegExp, RegExp])[] = [
  ...CARRIERS,
  [
    word(
      'unleaded|super|super plus|superplus|e5|e10|e15|sp95|sp98|sp95 e10|sans plomb|regular|midgrade|mid grade|bleifrei|normalbenzin|gasolina|sin plomo|eurosuper|euro ?95',
    ),
    /gasoline|petrol/,
  ],
  [word('e85|ethanol'), /ethanol|e85/],
  [/(^| )(hvo ?\d*|biodiesel|b100)( |$)/, /hvo|biodiesel|renewable-diesel/],
  [word('dsl|drv|ulsd|dyed diesel'), /diesel|distillate/],
  [word('ulp|mogas|pulp'), /gasoline|petrol/],
  [word('oil'), /oil|distillate/],
  // At the pump.
  [/(^| )(?<!lp )gas(?! oil)( |$)/, /gasoline/],
  [word('cng|lng|erdgas cng'), /natural-gas|cng|lng/],
  [word('adblue|ad blue|def|diesel exhaust fluid|harnstoff'), /^$/],
  [
    word(
      'car ?wash|wash|wasche|autowasche|lavage|screen ?wash|scheibenreiniger|washer fluid|toll|maut|peage|vignette|parking|engine oil|motor oil|motorol|lubricant|lubrifiant|shop|snacks?|fee|service fee|gebuhr',
    ),
    /^$/,
  ],
]
/** "Diesel exhaust fluid" is no diesel. */
const NO_FUEL = PRODUCTS.slice(-2)

const FUELS = PRODUCTS.slice(0, -2).map(([is]) => new RegExp(is.source.replace(/\( \|\$\)$/, '(?= |$)'), 'g'))

/** A plain text without the names of energy and fuels. */
export const withoutProducts = (plain: string): string =>
  FUELS.reduce((text, is) => text.replaceAll(is, ' '), plain)

/** Lines of a bill that charge for something else, by the same kilowatt-hours. */
const CHARGE =
  /steuer|umlage|abgabe|entgelt|gebuhr|konzession|abwasser|schmutzwasser|niederschlag|regenwasser|saneamento|saneamiento|alcantarillado|assainissement|sewer|sewage|wastewater|storm ?water|fognatura|depurazione|riolering|peaje|acheminement|belasting|nettarief|netznutzung|acesso as redes|acceso a (la )?redes?|(^| )(network|transport|trasporto|tax|taxes|levy|surcharge|rider|fee|standing|accise|accisa|impuestos?|imposte|bono social|alquiler|oneri|canone|cta|cspe|turpe|taxe|tva|vat|mwst)( |$)/

export const isCharge = (text: string): boolean => CHARGE.test(plainHeading(text))

/** A column of what was sold: "Product Description", "Kraftstoff". */
export const isProduct = (title: string): boolean =>
  /^(produkt|product|waren?|artikel|kraftstoff|brandstof|combusti|sorte|soort|fluide|vecteur|vettore|servi|fornitura|suministro)/.test(
    plainHeading(title),
  ) ||
  word(
    'product|produkt|warenart|artikel|article|item|fuel|kraftstoff|kraftstoffart|produit|carburant|producto|combustible|prodotto|carburante|commodity|grade|position|posten|charge|charge type|line item|line|ligne|voce|concepto|description|bezeichnung|leistung|designation|libelle',
  ).test(plainHeading(title))

/** `own` if a product of a bill is the energy of an activity, `other` if it is something else, null if nothing in it says so. */
export function productIn(text: string, activity: string): 'own' | 'other' | null {
  const plain = plainHeading(text)
  if (!PRODUCTS.some(([, of]) => of.test(activity))) return null
  if (CHARGE.test(plain) || NO_FUEL.some(([is]) => is.test(plain))) return 'other'
  const named = PRODUCTS.filter(([is]) => is.test(plain))
  if (named.length === 0) return null
  return named.some(([, of]) => of.test(activity)) ? 'own' : 'other'
}
