import { Module } from '@nestjs/common';
import { BusModule, HarnessWatch } from '@reins/service-kit';
import { TreeStore } from '@reins/workspace-tree';
import { ControlBusService } from './control-bus.service.ts';

@Module({ imports: [BusModule.with(HarnessWatch, TreeStore)], providers: [ControlBusService] })
export class ControlBusModule {}
