import GatehouseWire

extension PushAddress: Confidential {}
extension RemovePushTokenOperation.Input: Confidential {}
