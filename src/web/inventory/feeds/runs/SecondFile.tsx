import type { FeedRun } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { Bringing } from './upload-feed.ts'
import { UploadButton } from './UploadButton.tsx'

/** A run whose mapping joins two files waits here for the other one. */
export function SecondFile({ run, bringing }: { run: FeedRun; bringing: Bringing }) {
  const { id, fileName, mappingName } = run
  return (
    <section className="fc-feed-return" aria-label="Second file">
      <p className="fc-grow">
        <bdi>
          {`${mappingName ?? 'The mapping'} joins two files. ${fileName} is here and kept: bring the other one, or drop it on this page.`}
        </bdi>
      </p>
      <UploadButton
        label="Bring the second file"
        isSecond
        onFiles={(files) => bringing.bring({ files, secondOf: id })}
      />
    </section>
  )
}
