import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { TARGET_STATES } from '#contract/assessments/targets/target-states.ts'
import { labelOf } from '#contract/record.ts'
import type { Assessment } from '#contract/assessments/assessments/assessments.ts'
import {
  type AssessmentResults,
  assessmentResults,
  SMALLEST_GROUP,
} from '#contract/assessments/results/results.ts'
import { reports } from '#contract/reports/reports.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { GapList } from './GapList.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './results.css'

/** Scores by target and section, last year, the benchmark, and where points are missing. */
export function ResultsTab({ assessment }: { assessment: Assessment }) {
  return (
    <Loaded query={query(assessmentResults.get, { id: assessment.id })} what="the results" shape="spinner">
      {(data) => {
        if (!data.isScored) {
          return (
            <EmptyState
              icon={<IconChartBar size={18} />}
              title="No scores"
              text="This questionnaire isn't scored. Add scoring to a new version to compare targets."
            />
          )
        }
        if (data.final === 0) {
          return (
            <EmptyState
              icon={<IconChartBar size={18} />}
              title="No scores yet"
              text="Targets are scored when their answers are submitted."
            />
          )
        }
        return (
          <div className="fc-results">
            <div className="fc-row">
              <Action
                for={reports.make}
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden="true" />}
                onClick={() =>
                  void fetchFile(
                    reports.make,
                    { name: 'assessment-matrix', format: 'xlsx', id: assessment.id },
                    `Answers of ${assessment.name}`,
                  ).catch(showError)
                }
              >
                Download all answers
              </Action>
            </div>
            <Figures results={data} />
            <ScoreTable assessment={assessment} results={data} />
            <GapList assessment={assessment} gaps={data.gaps} sections={data.sections} />
          </div>
        )
      }}
    </Loaded>
  )
}

/** The mean, its change on the same targets, and the middle of all. */
function Figures({ results }: { results: AssessmentResults }) {
  const { meanTotal, final, targets, previous, benchmark, hasTotal } = results
  return (
    <dl className="fc-results-figures">
      {hasTotal && (
        <div>
          <dt>Average score</dt>
          <dd>{meanTotal ?? '–'}</dd>
          <dd className="fc-small fc-soft">
            {final} of {count(targets.length, 'target', 'targets')} submitted
          </dd>
        </div>
      )}
      {hasTotal && previous !== null && previous.mean !== null && previous.meanBefore !== null && (
        <div>
          <dt>Compared with {previous.name}</dt>
          <dd>{signed(Number(previous.mean) - Number(previous.meanBefore))}</dd>
          <dd className="fc-small fc-soft">
            {previous.meanBefore} to {previous.mean}, {count(previous.targets, 'target', 'targets')} with a
            score in both years
            {!previous.isSameVersion && '. The questionnaire changed, so scores may not be comparable.'}
          </dd>
        </div>
      )}
      {hasTotal && (
        <div>
          <dt>Benchmark</dt>
          <dd>{benchmark === null ? '–' : benchmark.median}</dd>
          <dd className="fc-small fc-soft">
            {benchmark === null
              ? `Shown for ${SMALLEST_GROUP} or more submitted targets, so that no single score can be inferred.`
              : `Median of ${benchmark.targets} targets in your account. Half of them are between ${benchmark.lowerQuartile} and ${benchmark.upperQuartile}.`}
          </dd>
        </div>
      )}
    </dl>
  )
}

/** "+3.5", with a true minus sign. */
function signed(change: number): string {
  const text = Math.abs(change).toFixed(1)
  if (text === '0.0') return '±0.0'
  return change > 0 ? `+${text}` : `\u2212${text}`
}

function ScoreTable({ assessment, results }: { assessment: Assessment; results: AssessmentResults }) {
  const { sections, targets, sectionMeans, sectionBenchmarks, meanTotal, benchmark, hasTotal, previous } =
    results
  const hasBands = targets.some(({ band }) => band !== null)
  return (
    <div className="fc-results-scroll">
      <table className="fc-results-table" aria-label="Scores by target and section">
        <thead>
          <tr>
            <th scope="col">Target</th>
            {sections.map(({ id, title }) => (
              <th key={id} scope="col" className="fc-number">
                <bdi>{title}</bdi>
              </th>
            ))}
            {hasTotal && (
              <th scope="col" className="fc-number">
                Score
              </th>
            )}
            {hasTotal && hasBands && <th scope="col">Band</th>}
            {hasTotal && previous !== null && (
              <th scope="col" className="fc-number">
                Last year
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {targets.map((target) => (
            <tr key={target.targetId}>
              <th scope="row">
                <Link
                  to="/assessments/$id/targets/$targetId"
                  params={{ id: assessment.id, targetId: target.targetId }}
                  className="fc-link"
                >
                  <bdi>{target.name}</bdi>
                </Link>
                {!target.isFinal && <span className="fc-second">{labelOf(TARGET_STATES, target.state)}</span>}
              </th>
              {target.sections.map((score, at) => (
                <td key={sections[at]?.id} className="fc-number">
                  {score ?? '–'}
                </td>
              ))}
              {hasTotal && <td className="fc-number fc-results-total">{target.total ?? '–'}</td>}
              {hasTotal && hasBands && <td>{target.band ?? '–'}</td>}
              {hasTotal && previous !== null && <td className="fc-number">{target.previousTotal ?? '–'}</td>}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Average</th>
            {sectionMeans.map((mean, at) => (
              <td key={sections[at]?.id} className="fc-number">
                {mean ?? '–'}
              </td>
            ))}
            {hasTotal && <td className="fc-number fc-results-total">{meanTotal ?? '–'}</td>}
            {hasTotal && hasBands && <td>–</td>}
            {hasTotal && previous !== null && <td>–</td>}
          </tr>
          {(benchmark !== null || sectionBenchmarks.some((one) => one !== null)) && (
            <tr>
              <th scope="row">Benchmark (median)</th>
              {sectionBenchmarks.map((one, at) => (
                <td key={sections[at]?.id} className="fc-number">
                  {one?.median ?? '–'}
                </td>
              ))}
              {hasTotal && <td className="fc-number">{benchmark?.median ?? '–'}</td>}
              {hasTotal && hasBands && <td>–</td>}
              {hasTotal && previous !== null && <td>–</td>}
            </tr>
          )}
        </tfoot>
      </table>
    </div>
  )
}
