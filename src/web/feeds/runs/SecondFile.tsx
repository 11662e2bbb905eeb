import type { FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import type { FeedUpload } from './upload-feed.ts'
import { UploadButton } from './UploadButton.tsx'

/** Asks for the second file of a run whose mapping joins two. */
export function SecondFile({ run, upload }: { run: FeedRun; upload: FeedUpload }) {
  const { id, fileName, mappingName } = run
  return (
    <section className="fc-feed-return" aria-label="Second file">
      <p className="fc-grow">
        <bdi>
          {`${mappingName ?? 'The mapping'} joins two files. ${fileName} is uploaded. Upload the other file, or drop it on this page.`}
        </bdi>
      </p>
      <UploadButton
        label="Upload second file"
        isSecond
        onFiles={(files) => upload.start({ files, secondOf: id })}
      />
    </section>
  )
}
