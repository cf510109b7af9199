import { IsInt, Max, Min } from 'class-validator';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The longest TTL that the server accepts for a record, with a margin. */
const TEN_YEARS_MS = 3_650 * DAY_MS;

/** How long data is kept that no run needs. */
export class RetentionSettings {
  /** Milliseconds from the archiving of a run until it expires, with its session if nothing continues that. */
  @IsInt()
  @Min(MINUTE_MS)
  @Max(TEN_YEARS_MS)
  runsMs = 90 * DAY_MS;

  /** Milliseconds between two searches for what can be removed. */
  @IsInt()
  @Min(MINUTE_MS)
  @Max(7 * DAY_MS)
  sweepIntervalMs = 6 * HOUR_MS;
}
