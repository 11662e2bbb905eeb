import type { CampaignCheck } from '#contract/marketing/campaigns/campaigns.ts'
import { Failure } from '#server/http/failure.ts'
import type { DnsResolver } from '#server/outside/dns-resolver.ts'

/** Of one SPF record (RFC 7208, section 4.6.4). */
const MAX_LOOKUPS = 10
/** Under these names most providers publish their DKIM keys. A domain with another one can't be told from one without. */
const SELECTORS = [
  'pm',
  'pm-bounces',
  'default',
  'google',
  'selector1',
  'selector2',
  's1',
  's2',
  'k1',
  'k2',
  'k3',
  'mail',
  'dkim',
  'smtp',
]

/** What mailbox providers ask of a domain that sends newsletters: SPF, DKIM and DMARC. */
export async function checkDomain(domain: string, names: DnsResolver): Promise<CampaignCheck> {
  const title = `Sending domain ${domain}`
  try {
    const [spf, dkim, dmarc] = [
      await spfFindings(domain, names),
      await hasDkim(domain, names),
      await dmarcFindings(domain, names),
    ]
    const errors = [...spf, ...dmarc]
    if (errors.length > 0) return { id: 'domain', title, state: 'error', findings: errors }
    if (dkim) return { id: 'domain', title, state: 'ok', findings: [] }
    return {
      id: 'domain',
      title,
      state: 'warning',
      findings: [
        `No DKIM key was found under the usual names of ${domain}. If your provider uses another name, this is fine; without DKIM, many emails go to spam.`,
      ],
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { id: 'domain', title, state: 'error', findings: [error.message] }
  }
}

async function spfFindings(domain: string, names: DnsResolver): Promise<string[]> {
  const records = await readSpf(domain, names)
  const [record] = records
  if (record === undefined)
    return [
      `${domain} has no SPF record. Add a TXT record that begins with v=spf1 and names your email provider.`,
    ]
  if (records.length > 1)
    return [`${domain} has ${records.length} SPF records. Keep one: with several, none counts.`]
  if (/\s\+?all\b/u.test(record))
    return [`The SPF record of ${domain} allows every server (+all). End it with -all or ~all.`]
  const lookups = await countLookups(domain, names, { left: MAX_LOOKUPS + 1, seen: new Set() })
  return lookups > MAX_LOOKUPS
    ? [
        `The SPF record of ${domain} needs more than ${MAX_LOOKUPS} DNS lookups, so receivers ignore it. Remove providers that you no longer use.`,
      ]
    : []
}

async function readSpf(domain: string, names: DnsResolver): Promise<string[]> {
  return (await names.readTexts(domain)).filter((text) => /^v=spf1(?:\s|$)/iu.test(text))
}

/** Mechanisms of a record, and of those that it includes, that need a lookup. */
async function countLookups(
  domain: string,
  names: DnsResolver,
  state: { left: number; seen: Set<string> },
): Promise<number> {
  if (state.seen.has(domain)) return 0
  state.seen.add(domain)
  const [record = ''] = await readSpf(domain, names)
  let lookups = 0
  for (const term of record.split(/\s+/u).slice(1)) {
    const [, name = '', target = ''] =
      /^[+?~-]?(include|a|mx|ptr|exists|redirect)(?:[:=](.+))?(?:\/\d+)?$/iu.exec(term) ?? []
    if (name === '') continue
    lookups += 1
    state.left -= 1
    if (state.left <= 0) return lookups
    // oxlint-disable-next-line no-await-in-loop -- At most eleven, and each may be the last.
    if (/^(?:include|redirect)$/iu.test(name)) lookups += await countLookups(target, names, state)
  }
  return lookups
}

async function hasDkim(domain: string, names: DnsResolver): Promise<boolean> {
  const found = await Promise.all(
    SELECTORS.map(async (selector) =>
      (await names.readTexts(`${selector}._domainkey.${domain}`)).some((text) =>
        /\bp=[A-Za-z0-9+/]/u.test(text),
      ),
    ),
  )
  return found.includes(true)
}

/** The policy of the domain itself, or of the one that it is below: `mail.dealer.example` is covered by `dealer.example`. */
async function dmarcFindings(domain: string, names: DnsResolver): Promise<string[]> {
  const above = domain.split('.').slice(-2).join('.')
  for (const name of new Set([domain, above])) {
    // oxlint-disable-next-line no-await-in-loop -- The second only if the first has none.
    const records = (await names.readTexts(`_dmarc.${name}`)).filter((text) => /^v=DMARC1\b/iu.test(text))
    if (records.length > 1) return [`${name} has ${records.length} DMARC records. Keep one.`]
    if (records.length === 1) return []
  }
  return [`${domain} has no DMARC record. Add a TXT record at _dmarc.${domain}, such as v=DMARC1; p=none.`]
}
