import { plainHeading } from './column-roles.ts'

/** Whether a cell names a part of a day or of a price: "On-peak energy", "Tier 2", "First 2,000 kWh". */
export const isTariffWord = (cell: string): boolean =>
  IS_TARIFF.test(plainHeading(cell).replaceAll(BESIDE, ' ').replaceAll(/\s+/g, ' ').trim())

/** What else such a cell says. */
const BESIDE =
  /(^| )(energy|usage|use|consumption|charges?|rates?|tariff|tarief|tarif|tarifa|period|hours?|kwh|energia|verbruik|verbrauch|consommation|consumo)(?= |$)/g

const IS_TARIFF =
  /^((on|off|mid|super off|part|partial) ?peak|peak|shoulder|day|night|weekend|evening|economy ?\d*|high|low|normal|[hnpt][tcpb]?\d?( .*)?|hoch|nieder|niedertarif|hochtarif|tag|nacht|heures? (pleines?|creuses?)( .*)?|pleines?|creuses?|punta|llano|valle|ponta|cheias?|vazio|normaal|dal|piek|hoog|laag|hoogtarief|laagtarief|tier ?\d+|tranche ?\d+|baseline|fascia ?f?\d|f\d|(first|next|over|above|up to|remaining|erste|über|uber|prem(ier|iere)s?|primer[oa]s?|eerste) ?\d[\d., ]*)$/
