import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { HarnessOffer } from '@reins/contracts';
import { HarnessWatch, Settings, stageRuntimes } from '@reins/service-kit';
import { Api } from '../http/api.ts';
import { HarnessList, type HarnessView } from './harnesses.dto.ts';

/** Answers which runtimes the live hosts offer, how healthy they are, and which stage uses which. */
@Api('installation')
export class HarnessesController {
  constructor(
    private readonly watch: HarnessWatch,
    private readonly settings: Settings,
  ) {}

  @Get('harnesses')
  @ApiOperation({
    summary: 'List the runtimes of the live harness hosts with their health, and the runtime of each stage',
  })
  @ApiOkResponse({ type: HarnessList })
  list(): HarnessList {
    const { offers } = this.watch;
    const stages = stageRuntimes(this.settings.runtimeProfile, offers);
    return {
      harnesses: offers.map(viewOf).sort(byRuntimeAndHost),
      stages: stages.map(({ fallback, ...stage }) => ({ ...stage, ...(fallback && { fallback: [...fallback] }) })),
    };
  }
}

const viewOf = ({ capabilities, providers, ...offer }: HarnessOffer): HarnessView => ({
  ...offer,
  capabilities: [...(capabilities ?? [])],
  providers: (providers ?? []).map(({ models, ...provider }) => ({
    ...provider,
    ...(models && { models: [...models] }),
  })),
});

const byRuntimeAndHost = (a: HarnessView, b: HarnessView): number =>
  a.runtimeId.localeCompare(b.runtimeId) || a.hostId.localeCompare(b.hostId);
