import { leads } from '#contract/leads/inbox/leads.ts'
import type { SubmissionRecord } from '#contract/marketing/forms/submissions.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { textIn } from '#contract/questions/texts.ts'
import { formatPrice, PriceLink } from '#web/vehicles/index.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { type Fact, Facts } from '#web/ui/record/Facts.tsx'
import { SentFiles } from '#web/ui/record/SentFiles.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A line of a check note: the title of a question, and what is wrong with its answer. */
function toFact(line: string): Fact {
  const [title = '', ...rest] = line.split(': ')
  return [title, rest.join(': ')]
}

/** Sender, vehicle, answers, consents and origin of a submission. */
export function SubmissionContent({ submission }: { submission: SubmissionRecord }) {
  const { senderName, senderEmail, senderPhone, lotName, sentAt, language, leadId, checkNote } = submission
  const holds = useHolds()
  return (
    <>
      <Facts
        title="Sender"
        facts={[
          ['Name', senderName],
          [
            'Email',
            senderEmail && (
              <a key="email" href={`mailto:${senderEmail}`}>
                {senderEmail}
              </a>
            ),
          ],
          [
            'Phone',
            senderPhone && (
              <a key="phone" href={`tel:${senderPhone}`}>
                {senderPhone}
              </a>
            ),
          ],
          ['Sent', format.format(new Date(sentAt))],
          ['Lot', lotName],
          ['Vehicle', <VehicleAsked key="vehicle" submission={submission} />],
          [
            'Lead',
            leadId !== null && holds(leads.get.allow) === true && (
              <Link key="lead" to="/customers/leads" search={{ lead: leadId }} className="fc-link">
                Open the lead
              </Link>
            ),
          ],
          ['Language', submission.definition.languages.length > 1 ? language : null],
        ]}
      />
      {checkNote !== null && <Facts title="To check" facts={checkNote.split('\n').map(toFact)} />}
      <Answers submission={submission} />
      {submission.hasLostFiles && (
        <p className="fc-small fc-soft">
          Some of its files were deleted. Files that come with spam or with unfinished forms may take 2 GB
          together; the oldest make room for new ones.
        </p>
      )}
      <Consents submission={submission} />
      <Origin submission={submission} />
    </>
  )
}

/** The vehicle as it was when the form was sent, with the price that the page showed. */
function VehicleAsked({ submission }: { submission: SubmissionRecord }) {
  const { vehicleId, vehicleTitle, vehiclePriceCents, currency } = submission
  if (vehicleTitle === null) return 'None'
  return (
    <>
      {vehicleId === null ? (
        vehicleTitle
      ) : (
        <Link to="/inventory/vehicle-data/$id" params={{ id: vehicleId }} className="fc-link">
          {vehicleTitle}
        </Link>
      )}
      <span className="fc-second">
        {vehiclePriceCents === null ? 'The page showed no price' : 'The page showed '}
        {vehiclePriceCents !== null && <ShownPrice {...{ vehicleId, cents: vehiclePriceCents, currency }} />}
      </span>
    </>
  )
}

function ShownPrice({
  vehicleId,
  cents,
  currency,
}: {
  vehicleId: string | null
  cents: number
  currency: string
}) {
  const price = formatPrice(cents, currency)
  return vehicleId === null ? <bdi>{price}</bdi> : <PriceLink vehicle={{ id: vehicleId }} price={price} />
}

/** The answers in the order of the form. */
function Answers({ submission }: { submission: SubmissionRecord }) {
  const { definition, answers, computed, files, language } = submission
  const { languages } = definition
  const questions = definition.sections.flatMap((section) => section.questions)
  const rows = questions.flatMap((question): Fact[] => {
    if (question.type === 'note' || question.type === 'consent') return []
    const answer = question.type === 'computed' ? computed[question.code] : answers[question.code]
    const words = showAnswer(question, answer, { tag: language, all: languages })
    const title = textIn(question.title, language, languages) || question.code
    if (question.isHidden === true && words === '') return []
    const own = files.filter((file) => file.question === question.code)
    if (own.length > 0) return [[title, <SentFiles key={question.code} files={own} />]]
    return [[title, words === '' ? <NoAnswer key={question.code} /> : words, noteOf(question)]]
  })
  return <Facts title="Answers" facts={rows} />
}

const NoAnswer = () => <span className="fc-faint">No answer</span>

function noteOf({ isHidden, type }: Question): string | undefined {
  if (type === 'computed') return 'Calculated'
  return isHidden === true ? 'Hidden field' : undefined
}

const CHANNELS: Readonly<Record<string, string>> = { email: 'email', call: 'calls', text: 'text messages' }
const PURPOSES: Readonly<Record<string, string>> = {
  inquiry: 'To answer this inquiry',
  marketing: 'Marketing',
  privacy: 'Privacy notice',
}

/** Each consent with the exact text that its sender saw. */
function Consents({ submission: { consents } }: { submission: SubmissionRecord }) {
  if (consents.length === 0) return null
  return (
    <section className="fc-facts">
      <h3>Consents</h3>
      <ul className="fc-consents">
        {consents.map(({ question, isGiven, text, version, purpose, channels, seller }) => (
          <li key={question}>
            <Status tone={isGiven ? 'good' : 'mute'} mark={isGiven ? 'check' : 'dash'}>
              {isGiven ? 'Given' : 'Not given'}
            </Status>
            <blockquote>
              <bdi>{text}</bdi>
            </blockquote>
            <p className="fc-small fc-faint">
              <bdi>
                {[
                  PURPOSES[purpose] ?? purpose,
                  channels.length > 0 && `by ${channels.map((one) => CHANNELS[one] ?? one).join(', ')}`,
                  seller !== null && `to ${seller}`,
                  `text version ${version}`,
                ]
                  .filter(Boolean)
                  .join(', ')}
              </bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const CAMPAIGN_TITLES: Readonly<Record<string, string>> = {
  utm_source: 'Campaign source',
  utm_medium: 'Campaign medium',
  utm_campaign: 'Campaign',
  utm_term: 'Campaign term',
  utm_content: 'Campaign content',
  gclid: 'Google Ads click',
  fbclid: 'Facebook click',
  msclkid: 'Microsoft Ads click',
}

/** Where the form was opened and how its sender came there. */
function Origin({ submission: { pageUrl, referrer, campaign } }: { submission: SubmissionRecord }) {
  return (
    <Facts
      title="Where it came from"
      facts={[
        ['Page', pageUrl && <OutsideLink key="page" href={pageUrl} />],
        ['Came from', referrer && <OutsideLink key="referrer" href={referrer} />],
        ...Object.entries(campaign).map(([name, value]): Fact => [CAMPAIGN_TITLES[name] ?? name, value]),
      ]}
    />
  )
}

/** Browsers send these addresses, so only http and https become links. */
function OutsideLink({ href }: { href: string }) {
  if (!/^https?:\/\//i.test(href)) return href
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {href}
    </a>
  )
}
