import { Module } from '@nestjs/common';
import { ControlBusService } from './control-bus.service.ts';

@Module({ providers: [ControlBusService] })
export class ControlBusModule {}
