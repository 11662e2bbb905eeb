import { leadFiles, refusedText } from '#contract/leads/inbox/lead-files.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { SentFiles } from '#web/ui/record/SentFiles.tsx'

/** Files of emails, which are saved. Those that weren't kept are named with the reason. */
export function Attachments({ files }: { files: LeadRecord['attachments'] }) {
  const kept = files.filter(({ refusal }) => refusal === null)
  const refused = refusedText(files)
  return (
    <>
      {kept.length > 0 && <SentFiles files={kept} download={leadFiles.download} />}
      {refused !== null && (
        <p className="fc-small fc-soft">
          <bdi>{refused}</bdi>
        </p>
      )}
    </>
  )
}
